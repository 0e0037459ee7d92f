"""Facts about tools outside of Python: their options, and which of them are deprecated."""
