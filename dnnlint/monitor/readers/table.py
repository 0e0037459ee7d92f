"""Tables: the CSV of ``nvidia-smi --query-gpu`` in any order of columns, and ``nvidia-smi dmon``."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from dnnlint.monitor.columns import DATE, GPU, NAME, TIME, Meaning, dmon_meaning, heading_meaning
from dnnlint.monitor.log import Log, LogError
from dnnlint.monitor.numbers import NumberColumn, TimeColumn
from dnnlint.monitor.readers.options import ReadOptions

Row = list[str]
_BATCH = 4_000
_DELIMITERS = (",", ";", "\t", "|")
_DEFAULT_INTERVAL_S = 1.0
_DAY_S = 86_400.0
_LOST = re.compile(
    r"GPU is lost|has fallen off the bus|Unable to determine the device handle|Failed to initialize NVML"
)
_GPU_ORDER = ("index", "gpu_uuid", "uuid", "gpu_bus_id", "pci.bus_id", "serial")


def read_table(lines: Iterable[str], path: str, log: Log, options: ReadOptions, *, is_dmon: bool) -> None:
    """Append the samples of a table to the log; a heading that comes again starts a new order of columns.

    Raises:
        LogError: the columns hold nothing that can be judged.
    """
    reader = _TableReader(path, log, options, is_dmon)
    if options.columns and not is_dmon:
        reader.set_heading(list(options.columns))
    rows = _split_dmon(lines) if is_dmon else _split_csv(lines)
    while batch := list(islice(rows, _BATCH)):
        reader.take(batch)
    reader.finish()


def heading_of(line: str) -> Row | None:
    """The headings of a line of nvidia-smi's CSV, None when it is none: two known names, or one that is measured."""
    for delimiter in _DELIMITERS:
        cells = next(csv.reader([line.strip("\ufeff")], delimiter=delimiter, skipinitialspace=True), [])
        known = [meaning for cell in cells if (meaning := heading_meaning(cell))]
        if len({meaning.column for meaning in known}) >= 2 or (len(cells) == 1 and _measures(known)):
            return cells
    return None


def _measures(meanings: list[Meaning]) -> bool:
    return any(meaning.column not in (TIME, GPU, NAME, DATE) for meaning in meanings)


def _split_csv(lines: Iterable[str]) -> Iterator[Row]:
    iterator = iter(lines)
    first = next((line for line in iterator if line.strip()), "")
    delimiter = max(_DELIMITERS, key=first.count)
    if ";" in first and heading_of(first) and first.count(";") >= 1:
        delimiter = ";"
    whole: Iterator[str] = chain((first.lstrip("\ufeff"),), iterator)
    if sys.version_info < (3, 11):  # its reader refuses a NUL
        whole = (line.replace("\0", "") for line in whole)
    return csv.reader(whole, delimiter=delimiter, skipinitialspace=True)


def _split_dmon(lines: Iterable[str]) -> Iterator[Row]:
    for line in lines:
        yield (
            line.replace(",", " ").replace("#", "# ", 1).split()
            if line.startswith("#")
            else line.replace(",", " ").split()
        )


class _TableReader:
    def __init__(self, path: str, log: Log, options: ReadOptions, is_dmon: bool) -> None:
        self._path = path
        self._log = log
        self._options = options
        self._is_dmon = is_dmon
        self._width = 0
        self._starts: tuple[str, ...] = ()
        self._heading: Row = []
        self._places: dict[str, int] = {}
        self._numbers: dict[str, NumberColumn] = {}
        self._times = TimeColumn()
        self._counts: dict[str, int] = {}
        self._midnights: dict[str, tuple[int, float]] = {}
        self._line = 0
        self._no_time = 0

    def set_heading(self, cells: Row) -> None:
        """Learn which column is what."""
        if cells == self._heading:
            return
        self._heading, self._width, self._starts = cells, len(cells), ("#", cells[0])
        self._places, self._numbers = {}, {}
        ranks: dict[str, int] = {}
        for place, cell in enumerate(cells):
            meaning = self._meaning(cell)
            if meaning is None:
                continue
            rank = _GPU_ORDER.index(cell.strip().lower()) if cell.strip().lower() in _GPU_ORDER else len(_GPU_ORDER)
            if meaning.column not in self._places or rank < ranks[meaning.column]:
                self._places[meaning.column], ranks[meaning.column] = place, rank
                self._numbers[meaning.column] = NumberColumn(meaning.scale)
        self._require_measurements()

    def _meaning(self, cell: str) -> Meaning | None:
        given = self._options.mapped(cell)
        return given or (dmon_meaning(cell) if self._is_dmon else heading_meaning(cell))

    def _require_measurements(self) -> None:
        if set(self._places) <= {TIME, GPU, NAME, DATE}:
            raise LogError(
                f"{self._path}: no column with utilisation, memory or temperature; "
                "record utilization.gpu, memory.used, memory.total and temperature.gpu"
            )
        if GPU not in self._places:
            self._log.notice("no column tells GPUs apart: all lines are read as one GPU (record `index`)")

    def take(self, rows: list[Row]) -> None:
        """Add rows; runs of rows between two headings are added at once."""
        good: list[Row] = []
        for row in rows:
            self._line += 1
            if len(row) == self._width and row[0] not in self._starts:
                good.append(row)
            elif row:
                self._flush(good)
                good = []
                self._take_odd(row)
        self._flush(good)

    def _take_odd(self, row: Row) -> None:
        """A heading, or a line that belongs to something else."""
        if self._is_dmon and row[0] == "#":
            if "Idx" not in row:
                self.set_heading(row[1:])
            return
        text = ", ".join(row)
        if not self._is_dmon and (heading := heading_of(text)) is not None:
            self.set_heading(heading)
            return
        if row == [""] or not text.strip():
            return
        self._log.lines_skipped += 1
        if _LOST.search(text):
            self._log.notice(f"{self._path}:{self._line}: the driver lost a GPU: {text[:120]}")
        elif self._log.lines_skipped == 1:
            self._log.notice(f"{self._path}:{self._line}: not a line of this table: {text[:80]}")

    def _flush(self, rows: list[Row]) -> None:
        if not rows:
            return
        place = self._places.get(GPU)
        if place is None:
            self._add("0", rows)
            return
        by_gpu: dict[str, list[Row]] = {}
        for row in rows:
            by_gpu.setdefault(row[place], []).append(row)
        for gpu, own in by_gpu.items():
            self._add(gpu.strip(), own)

    def _add(self, gpu: str, rows: list[Row]) -> None:
        name = rows[0][self._places[NAME]] if NAME in self._places else ""
        series = self._log.series_of(gpu, name.strip())
        columns = list(zip(*rows, strict=True))
        values = {
            column: list(map(numbers.__getitem__, columns[self._places[column]]))
            for column, numbers in self._numbers.items()
            if column not in (TIME, GPU, NAME, DATE)
        }
        times = self._times_of(gpu, columns, len(rows))
        if any(time != time for time in times):
            keep = [index for index, time in enumerate(times) if time == time]
            self._no_time += len(times) - len(keep)
            times = [times[index] for index in keep]
            values = {column: [column_values[index] for index in keep] for column, column_values in values.items()}
        series.extend(times, values)

    def _times_of(self, gpu: str, columns: list[tuple[str, ...]], count: int) -> list[float]:
        if TIME in self._places:
            texts: Iterable[str] = columns[self._places[TIME]]
            if DATE in self._places:
                texts = map(" ".join, zip(columns[self._places[DATE]], texts, strict=True))
            return self._past_midnight(gpu, list(map(self._times.seconds, texts)))
        self._log.has_times = False
        start = self._counts.get(gpu, 0)
        self._counts[gpu] = start + count
        interval = self._options.interval_s or _DEFAULT_INTERVAL_S
        return [(start + index) * interval for index in range(count)]

    def _past_midnight(self, gpu: str, times: list[float]) -> list[float]:
        """Times without a date (``dmon -o T``) start again at midnight; nothing changes where there is a date."""
        if not times or not times[0] < _DAY_S:
            return times
        days, last = self._midnights.get(gpu, (0, times[0]))
        found = []
        for time in times:
            days += time < last - _DAY_S / 2
            last = time
            found.append(time + days * _DAY_S)
        self._midnights[gpu] = days, last
        return found

    def finish(self) -> None:
        """Say what could not be read."""
        log = self._log
        if not self._heading:
            raise LogError(f"{self._path}: no heading that names the columns; give --columns")
        if log.lines_skipped:
            log.notice(f"{self._path}: {log.lines_skipped} of {self._line} lines are not lines of this table")
        if self._no_time:
            log.notice(f"{self._path}: {self._no_time} lines have a time that cannot be read and are left out")
        if self._times.is_day_ambiguous:
            log.notice(f"{self._path}: days and months can be confused; read as month/day/year")
        if not log.has_times and self._options.interval_s is None:
            log.notice("samples have no time: one a second is assumed (give --interval SECONDS)")
