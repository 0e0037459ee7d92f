"""Dependencies of Python projects: ``pyproject.toml`` (standard and Poetry tables) and ``setup.cfg``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.deploy.model import Dependency, Environment
from dnnlint.deploy.requirements import normalise, read_dependency
from dnnlint.deploy.toml_reader import read_toml
from dnnlint.deploy.tree import Mapping, Scalar, Span, Tree

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet

_SECTION = re.compile(r"^\[([^\]]+)\]")
_KEY = re.compile(r"^([\w.-]+)\s*[=:]\s*(.*)$")


def read_pyproject(text: str, has_lock: bool) -> list[Environment]:
    """The dependencies of a project, once more with each of its optional groups.

    Raises:
        Malformed: the text is not TOML.
    """
    root = read_toml(text)
    poetry = root.mapping("tool", "poetry")
    is_poetry = bool(poetry.entries)
    main = list(_listed(root.list("project", "dependencies"))) + list(_poetry(poetry.mapping("dependencies")))
    python = _python(root.get("project", "requires-python") or poetry.get("dependencies", "python"))
    groups = [list(_listed(_items(value))) for _, value in root.mapping("project", "optional-dependencies").items()]
    groups += [list(_listed(_items(value))) for _, value in root.mapping("dependency-groups").items()]
    for group in (value for _, value in poetry.mapping("group").entries):
        if isinstance(group, Mapping):
            groups.append(list(_poetry(group.mapping("dependencies"))))
    groups.append(list(_poetry(poetry.mapping("dev-dependencies"))))
    is_library = root.get("build-system") is not None and root.get("tool", "poetry", "package-mode") is None
    is_library = is_library or (is_poetry and root.text("tool", "poetry", "package-mode") != "false")
    indexes = tuple(table.text("url") for table in root.mappings("tool", "uv", "index"))
    indexes += tuple(table.text("url") for table in poetry.mappings("source"))
    rows = [main, *[[*main, *group] for group in groups if group]]
    return [Environment(tuple(row), python, indexes, is_library=is_library, is_locked=has_lock) for row in rows if row]


def _items(tree: Tree) -> tuple[Tree, ...]:
    return getattr(tree, "items", ()) if not isinstance(tree, (Mapping, Scalar)) else ()


def _listed(items: tuple[Tree, ...]) -> Iterator[Dependency]:
    for item in items:
        if isinstance(item, Scalar):
            found = read_dependency(item.text, Span(item.span.start + 1, item.span.end - 1))
            if found is not None:
                yield found


def _poetry(table: Mapping) -> Iterator[Dependency]:
    """Poetry's tables: ``name = "^1.0"`` or ``name = {version = "^1.0"}``."""
    for key, value in table.items():
        if key.text == "python":
            continue
        version = value.text if isinstance(value, Scalar) else ""
        if isinstance(value, Mapping):
            version = value.text("version")
        specifier = to_specifier(version) if version else None
        span = Span(key.span.start, value.span.end if isinstance(value, Scalar) else key.span.end)
        yield Dependency(normalise(key.text), specifier, span, f"{key.text} {version}".strip())


def to_specifier(version: str) -> SpecifierSet | None:
    """Poetry's constraints as those of pip; None for alternatives and unknown forms."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    parts = []
    for part in (part.strip() for part in version.split(",")):
        if part in ("*", ""):
            continue
        numbers = re.match(r"^([\^~])\s*(\d+(?:\.\d+)*)", part)
        if numbers is not None and not part.startswith("~="):
            parts += _range(numbers.group(1), numbers.group(2))
        else:
            parts.append(part if part[0] in "<>=!~" else f"=={part}")
    try:
        return SpecifierSet(",".join(parts))
    except InvalidSpecifier:
        return None


def _range(operator: str, version: str) -> list[str]:
    """A caret keeps the first part that is not zero, a tilde the second part."""
    numbers = [int(part) for part in version.split(".")]
    kept = next((index for index, number in enumerate(numbers) if number), len(numbers) - 1)
    if operator == "~":
        kept = min(1, len(numbers) - 1)
    upper = [*numbers[:kept], numbers[kept] + 1]
    return [f">={version}", f"<{'.'.join(map(str, upper))}"]


def _python(tree: Tree | None) -> Dependency | None:
    if not isinstance(tree, Scalar):
        return None
    return Dependency("python", to_specifier(tree.text), tree.span, tree.text)


def read_setup_cfg(text: str, has_lock: bool) -> list[Environment]:
    """The dependencies of ``[options]`` and of each extra, which stand on indented lines below their key."""
    rows: dict[str, list[Dependency]] = {}
    section = key = ""
    offset = 0
    for line in text.splitlines(keepends=True):
        content = line.strip()
        header, assignment = _SECTION.match(line), _KEY.match(line)
        if header is not None:
            section, key = header.group(1), ""
        elif assignment is not None:
            key, content = assignment.group(1), assignment.group(2).strip()
        wanted = (section == "options" and key == "install_requires") or section == "options.extras_require"
        if wanted and key and content and not content.startswith("#") and header is None:
            start = offset + line.index(content)
            found = read_dependency(content.partition(" #")[0].strip(), Span(start, start + len(content)))
            if found is not None:
                rows.setdefault("" if section == "options" else key, []).append(found)
        offset += len(line)
    main = rows.pop("", [])
    lists = [main, *([*main, *extra] for extra in rows.values())]
    return [Environment(tuple(row), is_library=True, is_locked=has_lock) for row in lists if row]
