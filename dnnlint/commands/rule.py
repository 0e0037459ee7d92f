"""``dnnlint rule``: the documentation of a rule, or the catalogue."""

from __future__ import annotations

import argparse
import json
import os
import sys

from dnnlint.commands.check_arguments import add_plugin_option, plugins_of
from dnnlint.config.files import ConfigFinder
from dnnlint.config.selectors import Selectors
from dnnlint.engine.errors import UsageError
from dnnlint.rule_docs import read_page
from dnnlint.rules import RuleInfo

JsonObject = dict[str, object]


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the parser of the verb."""
    parser = subparsers.add_parser("rule", help="explain a rule, or list them all", allow_abbrev=False)
    parser.add_argument("rule", nargs="?", metavar="RULE", help="a code, a prefix of codes, a name or a family")
    parser.add_argument("--all", action="store_true", help="every rule")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="the format (default: text)")
    add_plugin_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print one page, or a line for each rule."""
    if args.all == (args.rule is not None):
        raise UsageError("name one rule, or give --all")
    selectors = _selectors(args)
    if args.rule is not None:
        selectors.require([args.rule], "rule")
    wanted = selectors.codes("ALL" if args.all else args.rule)
    infos = [info for code, info in selectors.rules.items() if code in wanted]
    is_single = not args.all and len(infos) == 1
    if args.format == "json":
        rows = [_encode(info) for info in infos]
        print(json.dumps(rows[0] if is_single else {"rules": rows}, indent=2))
    elif is_single:
        sys.stdout.write(_page(infos[0]))
    else:
        sys.stdout.writelines(_line(info) for info in infos)
    return 0


def _selectors(args: argparse.Namespace) -> Selectors:
    """The rules of the catalogue, and of the plug-ins that the command line or the project here names."""
    selectors = Selectors().loading(plugins_of(args), "--plugin")
    if args.rule is not None and selectors.codes(args.rule):
        return selectors
    # A configuration that names an unknown rule must not keep its author from looking the name up.
    config = ConfigFinder(selectors, keys=frozenset(("plugins",))).for_folder(os.getcwd())
    return selectors.with_plugins(config.plugins)


def _line(info: RuleInfo) -> str:
    fix = {"safe": "[*]", "unsafe": "[*unsafe]"}.get(info.fix or "", "")
    return f"{info.code}  {info.severity:<7}  {info.family:<12}  {info.name} {fix}".rstrip() + "\n"


def _page(info: RuleInfo) -> str:
    page = read_page(info)
    facts = [info.severity, f"family {info.family}"]
    if info.clause:
        facts.append(f"clause {info.clause}")
    if info.fix:
        facts.append(f"{info.fix} fix")
    title = "" if page.text.startswith("# ") else f"# {info.name} ({info.code})\n\n"
    return f"{info.code} {info.name}: {', '.join(facts)}\n\n{title}{page.text.rstrip()}\n"


def _encode(info: RuleInfo) -> JsonObject:
    page = read_page(info)
    return {
        "code": info.code,
        "name": info.name,
        "severity": info.severity,
        "clause": info.clause,
        "family": info.family,
        "fix": info.fix,
        "options": [{"name": name, "default": default, "help": text} for name, default, text in info.options],
        "url": info.page,
        "summary": page.summary,
        "documentation": page.text,
    }
