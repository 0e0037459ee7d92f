"""What every run of a rule needs beside its file: its options, and words for a crash."""

from __future__ import annotations

import os

from dnnlint.config.model import RuleSettings
from dnnlint.rule import OptionValue, Rule


def describe_crash(rule: Rule, error: BaseException, settings: RuleSettings) -> str:
    """Name a rule, what it raised and where, in one line."""
    plugin = plugin_of(rule, settings)
    owner = f" of plug-in {plugin}" if plugin is not None else ""
    return f"rule {rule.name} ({rule.code}){owner} crashed: {describe(error)}"


def plugin_of(rule: Rule, settings: RuleSettings) -> str | None:
    """The plug-in that a rule comes from, None for one of our own."""
    return next((plugin.name for plugin in settings.plugins if rule in plugin.rules), None)


def options_of(rule: Rule, settings: RuleSettings) -> dict[str, OptionValue]:
    """The options of a rule: its defaults and what the configuration sets."""
    defaults = {option.name: option.default for option in rule.options}
    return {**defaults, **settings.options.get(rule.code, {})}


def describe(error: BaseException) -> str:
    """What was raised and where, in one line."""
    place = ""
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        place = f" ({os.path.basename(code.co_filename)}:{traceback.tb_lineno})"
        traceback = traceback.tb_next
    return f"{type(error).__name__}: {error}{place}"
