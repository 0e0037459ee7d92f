"""The checkpoints rules."""
