"""The data rules."""
