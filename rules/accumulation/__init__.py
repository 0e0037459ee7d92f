"""The accumulation rules."""
