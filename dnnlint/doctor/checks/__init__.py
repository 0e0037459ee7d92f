"""The checklist: rows from what the probes found, without asking the machine again."""

from __future__ import annotations

from dnnlint.doctor.checks.cuda import check_cuda
from dnnlint.doctor.checks.gpu import check_gpus
from dnnlint.doctor.checks.host import check_host
from dnnlint.doctor.checks.software import check_software
from dnnlint.doctor.machine import Machine
from dnnlint.doctor.model import Row


def checklist(machine: Machine) -> list[Row]:
    """Every row, in the order of the table."""
    return [row for check in (check_gpus, check_cuda, check_host, check_software) for row in check(machine)]
