"""The memory rules."""
