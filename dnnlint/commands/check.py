"""``dnnlint check``: find what is wrong with training code."""

from __future__ import annotations

import argparse
import os
import sys
from typing import NamedTuple, TextIO

from dnnlint.commands.check_arguments import add_arguments, overrides_of, plugins_of
from dnnlint.commands.check_output import progress_printer, report_errors, write_report
from dnnlint.commands.pipes import guarded_output
from dnnlint.config.files import ConfigFinder, load_config
from dnnlint.config.model import Config, Overrides
from dnnlint.config.selectors import Selectors
from dnnlint.config.settings import SettingsResolver
from dnnlint.engine.check import CheckOptions, check_targets
from dnnlint.engine.discovery import Discovery, Target, WalkOptions
from dnnlint.engine.errors import UsageError
from dnnlint.engine.model import FileError, RunResult
from dnnlint.reports.escape import escaped
from dnnlint.rules import RuleInfo

STDIN = "-"
STDIN_NAME = "<stdin>"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the parser of the verb."""
    parser = subparsers.add_parser("check", help="check Python and deployment files", allow_abbrev=False)
    add_arguments(parser)
    parser.set_defaults(run=run)


class _Setup(NamedTuple):
    """What a command line says, worked out."""

    selectors: Selectors
    resolver: SettingsResolver
    targets: list[Target]
    given: dict[str, bytes]
    """The content of files that come from standard input, by name."""
    errors: tuple[FileError, ...]
    """Folders that could not be listed."""
    plugin_rules: tuple[RuleInfo, ...]


def run(args: argparse.Namespace) -> int:
    """Check the given paths, report, and return the exit code."""
    if args.explain_program is not None:
        from dnnlint.commands.check_explain import explain_file

        return explain_file(args)
    setup = _set_up(args)
    if args.show_files:
        sys.stdout.writelines(f"{target.name}\n" for target in setup.targets)
        return 0
    options = CheckOptions(args.jobs, _cache_folder(args, setup), progress_printer(args))
    result = _check(setup, options)
    if args.verbose:
        _tell(setup, options, result)
    fixes_stdin = False
    if args.diff or args.fix:
        from dnnlint.commands.check_fix import apply_fixes

        fixes_stdin = args.fix and bool(setup.given)
        failed = apply_fixes(args, result, setup.targets, setup.selectors, setup.resolver, setup.given)
        if not args.diff:
            result = _check(setup, options)
            result = result._replace(errors=(*result.errors, *failed))
    with guarded_output():
        if not args.diff:
            write_report(args, result, setup.given, to_stderr=fixes_stdin)
    report_errors(result.errors)
    return _exit_code(args, result)


def _check(setup: _Setup, options: CheckOptions) -> RunResult:
    result = check_targets(setup.targets, setup.selectors, setup.resolver, options, setup.given)
    return result._replace(errors=(*setup.errors, *result.errors), plugin_rules=setup.plugin_rules)


def _exit_code(args: argparse.Namespace, result: RunResult) -> int:
    if result.errors:
        return 2
    return 1 if result.is_failure and not args.exit_zero else 0


def _set_up(args: argparse.Namespace) -> _Setup:
    selectors = Selectors().loading(plugins_of(args), "--plugin")
    overrides = overrides_of(args)
    finder = ConfigFinder(selectors, _fixed_config(args, selectors))
    given: dict[str, bytes] = {}
    paths = list(args.paths)
    targets: list[Target] = []
    if STDIN in paths or (args.stdin_filename and not paths):
        paths = [path for path in paths if path != STDIN]
        target = _stdin_target(args.stdin_filename or STDIN_NAME, finder)
        given[target.name] = _read_stdin()
        targets.append(target)
    elif not paths:
        paths = ["."]
    discovery = Discovery(finder, WalkOptions(args.respect_gitignore, args.force_exclude))
    targets += (target for target in discovery.find(paths) if target.name not in given)
    # Rules named on the command line may be those of any configuration.
    everything = selectors.with_plugins(plugin for target in targets for plugin in target.config.plugins)
    _require_known(overrides, everything)
    plugin_rules = tuple(info for plugin in everything.plugins for info in plugin.infos)
    resolver = SettingsResolver(selectors, overrides)
    return _Setup(selectors, resolver, targets, given, tuple(discovery.errors), plugin_rules)


def _require_known(overrides: Overrides, selectors: Selectors) -> None:
    selectors.require(overrides.select or (), "--select")
    selectors.require(overrides.ignore or (), "--ignore")
    selectors.require(overrides.extend_select, "--extend-select")
    selectors.require(overrides.extend_ignore, "--extend-ignore")


def _fixed_config(args: argparse.Namespace, selectors: Selectors) -> Config | None:
    if args.config and args.isolated:
        raise UsageError("--config and --isolated exclude each other")
    if args.config:
        return load_config(args.config, selectors)
    return Config(os.getcwd()) if args.isolated else None


def _read_stdin() -> bytes:
    stream: TextIO | None = sys.stdin  # None when it was closed before the interpreter started
    if stream is None:
        raise UsageError("standard input is closed")
    return stream.buffer.read()


def _stdin_target(name: str, finder: ConfigFinder) -> Target:
    path = os.path.abspath(name)
    return Target(path, name, finder.for_folder(os.path.dirname(path)))


def _cache_folder(args: argparse.Namespace, setup: _Setup) -> str | None:
    if args.no_cache or len(setup.targets) == len(setup.given):
        return None
    from dnnlint.engine.cache import is_foreign

    folder = setup.targets[0].config.cache_path
    if not is_foreign(folder):
        return folder
    if args.verbose:
        print(f"dnnlint: {folder} holds other files, so that no cache is written there", file=sys.stderr)
    return None


def _tell(setup: _Setup, options: CheckOptions, result: RunResult) -> None:
    sources = sorted({target.config.source or "the defaults" for target in setup.targets})
    print(f"dnnlint: settings from {', '.join(sources) or 'nowhere'}", file=sys.stderr)
    print(f"dnnlint: cache in {options.cache_folder or 'no folder'}", file=sys.stderr)
    print(f"dnnlint: {result.cached} of {result.files} files answered from the cache", file=sys.stderr)
    for note in result.notes:
        print(f"dnnlint: not judged: {escaped(note.path)}: {note.text}", file=sys.stderr)
