"""Find the model a target names and build it by running as little of the user's code as possible."""
