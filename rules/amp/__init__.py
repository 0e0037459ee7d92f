"""The amp rules."""
