"""Exit statuses, as ``companion --help`` lists them."""

REFUSED = 1
BAD_USAGE = 2
RIG_FAILED = 3
JOURNAL_FAILED = 4
