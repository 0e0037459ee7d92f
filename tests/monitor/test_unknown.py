"""A log that tells nothing is not a green one."""

from __future__ import annotations

from pathlib import Path

from dnnlint.cli import main

HEADING = "timestamp, index, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], temperature.gpu\n"
ROW = "2025/03/01 12:00:{second:02}.0, 0, A100, {value}, {value}, 81920 MiB, {value}\n"


def test_log_without_a_known_value(tmp_path: Path) -> None:
    """The exit code says that nothing could be judged; known values are judged."""
    for value, code in (("[N/A]", 2), ("80", 0)):
        log = tmp_path / "gpu.csv"
        log.write_text(HEADING + "".join(ROW.format(second=second, value=value) for second in range(60)))
        assert main(["monitor", str(log), "--fail-on", "error"]) == code
