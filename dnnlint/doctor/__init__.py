"""This machine against the checklist of the specification."""
