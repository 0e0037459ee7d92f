"""The options of ``nvidia-smi``, and a check of a command line against them.

Checked against one text: what ``nvidia-smi -h`` of driver 535.104.05 prints, as a public repository quotes it; all of
its options are here. Those of older and newer drivers were added without such a text, and an option that a driver
nobody looked at has may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dnnlint.knowledge.shell import UNKNOWN, arguments_for, simple_commands

_GENERAL = "-h --help --version -v -L --list-gpus -B --list-excluded-gpus --list-blacklist-gpus -col --columns"
_QUERY = (
    "-q --query -u --unit -i --id -f --filename -x --xml-format --dtd -d --display -l --loop -lms --loop-ms -a --debug "
    "--query-gpu --query-supported-clocks --query-compute-apps --query-accounted-apps --query-retired-pages "
    "--query-remapped-rows --query-apps --query-unit --format -s --sort"
)
_MODIFICATION = (
    "-pm --persistence-mode -e --ecc-config -p --reset-ecc-errors -c --compute-mode --gom --gpu-operation-mode "
    "-r --gpu-reset -vm --virt-mode -lgc --lock-gpu-clocks -m --mode -rgc --reset-gpu-clocks -lmc --lock-memory-clocks "
    "-rmc --reset-memory-clocks -lmcd --lock-memory-clocks-deferred -rmcd --reset-memory-clocks-deferred "
    "-ac --applications-clocks -rac --reset-applications-clocks -acp --applications-clocks-permission "
    "-pl --power-limit -sc --scope -cc --cuda-clocks -am --accounting-mode -caa --clear-accounted-apps "
    "--auto-boost-default --auto-boost-permission -mig --multi-instance-gpu -gtt --gpu-target-temp "
    "-dm --driver-model -fdm --force-driver-model -t --toggle-led -eow --error-on-warning -eom "
    "--set-hostname --get-hostname -lmi -gvfd -shm -den --dramEncryption"
)
OPTIONS = frozenset(f"{_GENERAL} {_QUERY} {_MODIFICATION}".split())
"""Options of the program itself; its subcommands (``dmon``, ``topo``, ``mig`` ...) have options of their own."""

_HELP_ON_QUERY = re.compile(r"--help-query-[a-z-]+$")
_ATTACHED_NUMBER = re.compile(r"(-[a-z]+)\d+$")


def unknown_option(words: Sequence[str]) -> str | None:
    """The first option of a simple command that ``nvidia-smi`` does not have, None where there is none."""
    arguments = arguments_for(words, "nvidia-smi")
    if not arguments or not arguments[0].startswith("-"):
        return None  # a subcommand (an unknown word may be one), or no argument
    for word in arguments:
        if set(word) <= set("<>&"):
            return None
        name = word.partition("=")[0]
        if name.startswith("-") and name.strip("-") and UNKNOWN not in name and not _is_known(name):
            return name
    return None


def unknown_options(text: str) -> list[str]:
    """The options of a command line, with pipes and several commands, that ``nvidia-smi`` does not have."""
    found = (unknown_option(words) for words in simple_commands(text))
    return [option for option in found if option is not None]


def _is_known(name: str) -> bool:
    attached = _ATTACHED_NUMBER.match(name)
    return (
        name in OPTIONS
        or _HELP_ON_QUERY.match(name) is not None
        or (attached is not None and attached.group(1) in OPTIONS)
        or name.lstrip("-").isdigit()
    )
