"""What can be wrong with what people wrote; light to import, for the command line."""


class ConfigError(ValueError):
    """The configuration cannot be read, makes no sense, or cannot be written: a line a problem."""
