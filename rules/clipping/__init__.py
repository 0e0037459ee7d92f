"""The clipping rules."""
