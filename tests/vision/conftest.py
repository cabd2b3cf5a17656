"""What tests of the training share."""

import pytest

from vision.training import fonts


@pytest.fixture(scope="session")
def training_fonts() -> None:
    """Skip what needs the fonts that the networks learn from if they are not installed."""
    try:
        fonts.fonts()
        fonts.symbols()
    except fonts.FontsMissing as missing:
        pytest.skip(str(missing))
