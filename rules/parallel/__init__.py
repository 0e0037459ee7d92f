"""The parallel rules."""
