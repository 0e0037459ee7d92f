"""``dnnlint clean``: remove the cache of a project."""

from __future__ import annotations

import argparse
import os

from dnnlint.config.files import ConfigFinder
from dnnlint.config.selectors import Selectors
from dnnlint.engine.cache import is_tagged, remove_cache
from dnnlint.engine.errors import UsageError


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the parser of the verb."""
    parser = subparsers.add_parser("clean", help="remove the cache of a project", allow_abbrev=False)
    parser.add_argument("path", nargs="?", default=".", metavar="PATH", help="a folder of the project (default: .)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Remove the cache and say where it was; other files of its folder stay."""
    folder = os.path.abspath(args.path)
    if not os.path.isdir(folder):
        raise UsageError(f"{args.path}: no such folder")
    cache = ConfigFinder(Selectors(), keys=frozenset(("cache-dir",))).for_folder(folder)
    path = cache.cache_path if cache.source else os.path.join(folder, cache.cache_dir)
    if not os.path.isdir(path):
        print(f"No cache in {path}.")
        return 0
    # The tag is what the cache itself writes: without it the folder is somebody else's.
    if not is_tagged(path):
        raise UsageError(f"{path}: this folder was not made by dnnlint")
    try:
        remove_cache(path)
    except OSError as error:
        raise UsageError(f"{path}: cannot be removed: {error.strerror}") from error
    print(f"Removed the cache in {path}.")
    return 0
