"""The rules about environment and deployment files."""
