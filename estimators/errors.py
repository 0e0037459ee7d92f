"""The one exception that ends an estimate with a message for the user."""

from __future__ import annotations


class EstimateError(Exception):
    """An estimate cannot be made; ``message`` says why and ``help`` what to do next."""

    def __init__(self, message: str, help: str = "") -> None:
        """Keep both parts apart, so that every interface can show them its way."""
        super().__init__(message)
        self.message = message
        self.help = help


class OptionError(EstimateError):
    """An option has a value that cannot be used."""


class TargetError(EstimateError):
    """The target holds no model that can be built and traced as it stands."""
