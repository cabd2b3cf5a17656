"""What goes wrong at the edge: one error, whose sentence says which part and what to do."""


class RigError(RuntimeError):
    """A part cannot be opened or stopped working; the program ends with this sentence."""


class Unplugged(RigError):
    """A part that worked has gone; it may come back, and can then be opened again."""
