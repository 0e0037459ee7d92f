"""Configuration: ``[tool.dnnlint]`` in pyproject.toml or dnnlint.toml, and what the command line overrides."""
