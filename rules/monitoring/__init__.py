"""The monitoring and numerics rules."""
