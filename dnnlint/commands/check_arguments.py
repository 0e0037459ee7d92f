"""The options of ``dnnlint check``."""

from __future__ import annotations

import argparse

from dnnlint.config.model import SEVERITY_RANKS, Overrides
from dnnlint.reports import FORMATS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add every option of the verb."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help='files, folders or globs; "-" reads standard input')
    _add_rule_options(parser.add_argument_group("rules"))
    _add_file_options(parser.add_argument_group("files"))
    _add_fix_options(parser.add_argument_group("fixes"))
    _add_output_options(parser.add_argument_group("output"))
    _add_run_options(parser.add_argument_group("run"))


def _add_rule_options(group: argparse._ArgumentGroup) -> None:
    for name, text in (
        ("select", "run these rules only, whatever the configuration says"),
        ("ignore", "do not run these rules, in place of the configured ignore list"),
        ("extend-select", "run these rules too"),
        ("extend-ignore", "do not run these rules either"),
    ):
        group.add_argument(f"--{name}", type=_list, action="append", metavar="RULES", help=text)
    add_plugin_option(group)
    group.add_argument(
        "--fail-on", choices=tuple(SEVERITY_RANKS), help="the least severity that fails (default: warning)"
    )


def add_plugin_option(group: argparse._ActionsContainer) -> None:
    """Add the option that loads plug-ins."""
    group.add_argument(
        "--plugin", type=_list, action="append", metavar="NAMES", help="load the rules of these installed plug-ins too"
    )


def plugins_of(args: argparse.Namespace) -> tuple[str, ...]:
    """The plug-ins that a command line names."""
    return _joined(args.plugin) or ()


def _add_file_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--config", metavar="FILE", help="use this configuration for every file")
    group.add_argument("--isolated", action="store_true", help="read no configuration file")
    group.add_argument(
        "--respect-gitignore",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="skip what .gitignore files name (default: yes)",
    )
    group.add_argument("--force-exclude", action="store_true", help="exclude files that are named one by one, too")
    group.add_argument("--stdin-filename", metavar="NAME", help="the name of what is read from standard input")
    group.add_argument("--show-files", action="store_true", help="print the files that would be checked, and stop")


def _add_fix_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--fix", action="store_true", help="apply the safe fixes")
    group.add_argument("--unsafe-fixes", action="store_true", help="with --fix or --diff: the unsafe fixes as well")
    group.add_argument("--diff", action="store_true", help="print what --fix would change, and change nothing")


def _add_output_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--format", choices=FORMATS, default="text", help="the format of the report (default: text)")
    group.add_argument("--output", metavar="FILE", help="write the report to a file")
    group.add_argument("--statistics", action="store_true", help="count the findings of each rule instead")
    group.add_argument("--exit-zero", action="store_true", help="exit with 0 also when there are findings")
    group.add_argument(
        "--explain-program", metavar="FILE", help="print what the tool believes of a script, as text or JSON, and stop"
    )
    loudness = group.add_mutually_exclusive_group()
    loudness.add_argument("-v", "--verbose", action="store_true", help="say what is done, on standard error")
    loudness.add_argument("-q", "--quiet", action="store_true", help="print findings only")


def _add_run_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("-j", "--jobs", type=_count, default=0, metavar="N", help="processes (default: as needed)")
    group.add_argument("--no-cache", action="store_true", help="neither read nor write the cache")


def overrides_of(args: argparse.Namespace) -> Overrides:
    """The settings that a command line gives."""
    return Overrides(
        select=_joined(args.select),
        ignore=_joined(args.ignore),
        extend_select=_joined(args.extend_select) or (),
        extend_ignore=_joined(args.extend_ignore) or (),
        fail_on=args.fail_on,
    )


def _joined(lists: list[tuple[str, ...]] | None) -> tuple[str, ...] | None:
    return None if lists is None else tuple(word for words in lists for word in words)


def _list(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f'expected a number of processes, found "{text}"')
    return int(text)
