"""Draw all reference pictures anew: ``python tests/screen/regenerate.py``; look at each before you commit."""

from __future__ import annotations

from references import CASES, FOLDER, store


def main() -> None:
    """Write every reference picture and remove those of no case."""
    FOLDER.mkdir(exist_ok=True)
    wanted = {case.name for case in CASES}
    for old in FOLDER.glob("*.png"):
        if old.name not in wanted:
            old.unlink()
    for case in CASES:
        store(case)
    total = sum(path.stat().st_size for path in FOLDER.glob("*.png"))
    print(f"{len(CASES)} pictures, {total / 1e6:.2f} MB, in {FOLDER.name}/")


if __name__ == "__main__":
    main()
