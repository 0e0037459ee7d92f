"""Numbers and times as tools and spreadsheets write them."""

from __future__ import annotations

import math
import re
from datetime import datetime, timezone

from dnnlint.monitor.columns import UNIT_SCALES

NAN = math.nan
_LARGEST_CACHE = 100_000
_NUMBER = re.compile(r"^\s*([-+]?[0-9][0-9., '\u00a0\u202f]*(?:[eE][-+]?\d+)?)\s*([%A-Za-zµ°]*)\s*$")
_SWITCHES = {"active": 1.0, "not active": 0.0}


def parse_number(text: str) -> tuple[float, str]:
    """A number and its unit in lower case; not a number for ``[N/A]`` and every other word."""
    match = _NUMBER.match(text)
    if match is None:
        return _SWITCHES.get(text.strip().lower(), NAN), ""
    try:
        return float(_plain(match[1])), match[2].lower().lstrip("°")
    except ValueError:
        return NAN, ""


def _plain(number: str) -> str:
    """Write a number without separators of thousands and with a decimal point."""
    number = re.sub(r"[ '\u00a0\u202f]", "", number)
    if "," in number and "." in number:
        thousands = "," if number.rindex(".") > number.rindex(",") else "."
        number = number.replace(thousands, "")
    if number.count(",") > 1:
        return number.replace(",", "")
    return number.replace(",", ".")


class NumberColumn(dict[str, float]):
    """Texts of one column to values; each distinct text is parsed once."""

    def __init__(self, scale: float) -> None:
        """Multiply values by ``scale`` where the text states no unit of its own."""
        self._scale = scale

    def __missing__(self, text: str) -> float:
        """Parse a text that was not seen yet."""
        if len(self) > _LARGEST_CACHE:
            self.clear()
        value, unit = parse_number(text)
        scale = UNIT_SCALES.get(unit, self._scale) if unit else self._scale
        self[text] = result = value * scale
        return result


class _Minutes(dict[str, float]):
    """Seconds since midnight of ``HH:MM``; anything else raises ValueError."""

    def __missing__(self, text: str) -> float:
        self[text] = seconds = int(text[:2]) * 3600.0 + int(text[3:]) * 60.0
        return seconds


_YEAR_FIRST = re.compile(r"^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$")
_YEAR_LAST = re.compile(r"^(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4})$")
_CLOCK = re.compile(r"^(\d{1,2}):(\d{2})(?::(\d{2}(?:[.,]\d+)?))?\s*(Z|[AaPp][Mm]|[-+]\d{2}:?\d{2})?$")
_COMPACT = re.compile(r"^\d{8}$")


class TimeColumn(dict[str, float]):
    """Texts of times to seconds since 1970; the day is parsed once a day, a text that is no time gives NaN."""

    def __init__(self) -> None:
        """Start with no day known."""
        self.is_day_ambiguous = False
        self._minutes = _Minutes()

    def seconds(self, text: str) -> float:
        """Seconds since 1970 of a date with a time, an ISO time, or a number of (milli)seconds."""
        day, _, clock = text.partition(" ")
        if clock[5:6] == ":":
            try:  # what nvidia-smi writes, without the cost of the general case
                return self[day] + self._minutes[clock[:5]] + float(clock[6:])
            except ValueError:
                pass
        return self._general(text.strip())

    def _general(self, text: str) -> float:
        day, _, clock = text.replace("T", " ", 1).partition(" ")
        if not clock:
            return self._number(text)
        match = _CLOCK.match(clock.strip())
        if match is None:
            return NAN
        hour, zone = int(match[1]), match[4] or ""
        if zone.lower() in ("am", "pm"):
            hour, zone = hour % 12 + 12 * (zone.lower() == "pm"), ""
        seconds = float((match[3] or "0").replace(",", "."))
        return self[day] + hour * 3600 + int(match[2]) * 60 + seconds - _offset_s(zone)

    def _number(self, text: str) -> float:
        if _CLOCK.match(text):
            return self._general(f"1970-01-01 {text}")
        value, _ = parse_number(text)
        return value / 1000.0 if value > 1e11 else value

    def __missing__(self, text: str) -> float:
        """The first second of a day."""
        self[text] = seconds = self._day(text)
        return seconds

    def _day(self, text: str) -> float:
        if _COMPACT.match(text):
            text = f"{text[:4]}-{text[4:6]}-{text[6:]}"
        match = _YEAR_FIRST.match(text)
        if match is not None:
            return _midnight(int(match[1]), int(match[2]), int(match[3]))
        match = _YEAR_LAST.match(text)
        if match is None:
            return NAN
        first, second, year = int(match[1]), int(match[3]), int(match[4])
        # With points the day comes first everywhere; with strokes the United States write the month first.
        if match[2] == "/" and first <= 12:
            self.is_day_ambiguous |= second <= 12 and first != second
            first, second = second, first
        return _midnight(year, second, first)


def _midnight(year: int, month: int, day: int) -> float:
    try:
        return datetime(year, month, day, tzinfo=timezone.utc).timestamp()
    except ValueError:
        return NAN


def _offset_s(zone: str) -> float:
    if not zone or zone == "Z":
        return 0.0
    digits = zone[1:].replace(":", "")
    return (1 if zone[0] == "+" else -1) * (int(digits[:2]) * 3600 + int(digits[2:]) * 60)
