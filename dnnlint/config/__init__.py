"""Configuration: ``[tool.dnnlint]`` in pyproject.toml or dnnlint.toml, and what the command line overrides."""

from dnnlint.config.files import ConfigFinder, load_config
from dnnlint.config.model import Config, Overrides, RuleSettings
from dnnlint.config.settings import SettingsResolver

__all__ = ["Config", "ConfigFinder", "Overrides", "RuleSettings", "SettingsResolver", "load_config"]
