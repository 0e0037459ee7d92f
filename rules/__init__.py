"""The rule set: one module and one page of documentation a rule."""
