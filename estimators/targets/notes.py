"""What happened around a target that its report has to say."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Notes:
    """Notices and assumptions in the order in which they came up, each once with its count."""

    notices: Counter[str] = field(default_factory=Counter)
    assumptions: Counter[str] = field(default_factory=Counter)

    def notice(self, text: str) -> None:
        """Something was left out or replaced."""
        self.notices[text] += 1

    def assume(self, text: str) -> None:
        """Something was decided that neither the options nor the target decide."""
        self.assumptions[text] += 1
