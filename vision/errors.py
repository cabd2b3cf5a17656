"""What goes wrong with pictures and calibrations; light to import, for the command line."""


class VisionError(ValueError):
    """A file or a frame the eyes cannot use; the sentence says which, why, and what to do."""
