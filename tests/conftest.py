"""What all tests share: modules beside this file can be imported, and Hypothesis repeats itself."""

from hypothesis import settings

settings.register_profile("repeatable", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("search", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile("repeatable")
