"""From the text of a deployment file to what rules see of it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping as MappingType

from dnnlint.deploy import kinds
from dnnlint.deploy.model import DeployFile
from dnnlint.deploy.tree import Malformed, Mapping, Span

_TEMPLATE = re.compile(r"\{\{|\{%")
_YAML_COMMENT = re.compile(r"(?:^|(?<=\s))#[^\n]*", re.MULTILINE)


def build_file(name: str, kind: str, text: str, neighbours: MappingType[str, bytes]) -> DeployFile:
    """Parse a deployment file.

    Raises:
        Malformed: the text is not what the name says.
    """
    file = DeployFile(name, kind, text, neighbours=neighbours)
    template = _TEMPLATE.search(text) if kind in (kinds.COMPOSE, kinds.KUBERNETES, kinds.CONDA) else None
    if template is not None and _is_template(file, template.start()):
        file.template = Span(template.start(), template.end())
        return file
    _READERS[kind](file)
    return file


def _is_template(file: DeployFile, offset: int) -> bool:
    """Whether a file is to be rendered first: it lies in a chart, or is no YAML as it stands."""
    parts = file.name.replace(os.sep, "/").split("/")
    if "templates" in parts[:-1]:
        return True
    line = file.text[file.text.rfind("\n", 0, offset) + 1 : offset].strip()
    return not line or line[-1] in ":-"


def _has_lock(file: DeployFile) -> bool:
    return any(kinds.is_lock_file(name) for name in file.neighbours)


def _requirements(file: DeployFile) -> None:
    from dnnlint.deploy.installs import bounded_names
    from dnnlint.deploy.requirements import RequirementsFile, environment_of

    read = RequirementsFile(file.text)
    names = frozenset(bounded_names(read.constraints + read.included, file.neighbours))
    # pip-compile and uv write requirements.txt from requirements.in: the pins stand beside the source.
    compiled = os.path.splitext(os.path.basename(file.name))[0] + ".txt"
    has_lock = _has_lock(file) or (file.name.endswith(".in") and compiled in file.neighbours)
    file.environments.append(environment_of(read, has_lock, names))
    file.comments, file.continued = read.comments, read.continued


def _conda(file: DeployFile) -> None:
    from dnnlint.deploy.conda import read_conda

    for document in _documents(file):
        file.environments.append(read_conda(document, file.text, _has_lock(file)))


def _compose(file: DeployFile) -> None:
    from dnnlint.deploy.compose import read_compose

    for document in _documents(file):
        read_compose(document, file)


def _kubernetes(file: DeployFile) -> None:
    from dnnlint.deploy.kubernetes import read_manifest

    for document in _documents(file):
        read_manifest(document, file)


def _documents(file: DeployFile) -> list[Mapping]:
    from dnnlint.deploy.yaml_reader import read_yaml

    file.comments = [(match.start(), match.group()) for match in _YAML_COMMENT.finditer(file.text)]
    return [document for document in read_yaml(file.text) if isinstance(document, Mapping)]


def _pyproject(file: DeployFile) -> None:
    from dnnlint.deploy.python_projects import read_pyproject

    file.comments = [(match.start(), match.group()) for match in _YAML_COMMENT.finditer(file.text)]
    file.environments += read_pyproject(file.text, _has_lock(file))


def _setup_cfg(file: DeployFile) -> None:
    from dnnlint.deploy.python_projects import read_setup_cfg

    file.comments = [(match.start(), match.group()) for match in _YAML_COMMENT.finditer(file.text)]
    file.environments += read_setup_cfg(file.text, _has_lock(file))


def _dockerfile(file: DeployFile) -> None:
    from dnnlint.deploy.dockerfile import read_dockerfile

    read_dockerfile(file)


def _shell(file: DeployFile) -> None:
    from dnnlint.deploy.installs import environment_of
    from dnnlint.deploy.shell import read_comments, read_directives, read_script, require_loops

    require_loops(file.text)
    file.comments = read_comments(file.text)
    file.directives = read_directives(file.comments)
    script = read_script(file.text)
    file.scripts.append(script)
    file.continued = [command.span for command in script.commands if "\n" in file.text[slice(*command.span)]]
    environment = environment_of(script.commands, file.neighbours)
    if environment is not None:
        file.environments.append(environment)


def _other(file: DeployFile) -> None:
    """Nothing is read of a file that no rule speaks of."""


_READERS = {
    kinds.REQUIREMENTS: _requirements,
    kinds.CONDA: _conda,
    kinds.PYPROJECT: _pyproject,
    kinds.SETUP_CFG: _setup_cfg,
    kinds.DOCKERFILE: _dockerfile,
    kinds.COMPOSE: _compose,
    kinds.KUBERNETES: _kubernetes,
    kinds.SHELL: _shell,
    kinds.OTHER: _other,
}

__all__ = ["Malformed", "build_file"]
