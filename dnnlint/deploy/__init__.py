"""Environment and deployment files: what they install, start and ask for, with the place of each statement."""
