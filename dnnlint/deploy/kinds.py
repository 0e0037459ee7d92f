"""Which files describe an environment or a deployment: told by the name, or by the bytes where a name says little."""

from __future__ import annotations

import re

# Constants rather than an enum: discovery asks for every file of a tree, and must not import enum for it.
REQUIREMENTS = "requirements"
CONDA = "conda"
PYPROJECT = "pyproject"
SETUP_CFG = "setup.cfg"
DOCKERFILE = "dockerfile"
COMPOSE = "compose"
KUBERNETES = "kubernetes"
SHELL = "shell"
OTHER = "other"
"""A data file that is none of the above: nothing in it is checked, and it is no Python."""

_YAML = r"\.ya?ml$"
_NAMES = (
    (REQUIREMENTS, re.compile(r"^([\w.-]*[-_.])?(requirements|constraints)([-_.][\w.-]*)?\.(txt|in)$")),
    (CONDA, re.compile(r"^([\w.-]*[-_.])?(environment|conda|env)([-_.]?[\w.-]*)?" + _YAML)),
    (PYPROJECT, re.compile(r"^pyproject\.toml$")),
    (SETUP_CFG, re.compile(r"^setup\.cfg$")),
    (COMPOSE, re.compile(r"^(docker-)?compose([-_.][\w.-]*)?" + _YAML)),
    (COMPOSE, re.compile(r"^[\w.-]+[-_.](docker-)?compose" + _YAML)),
    (DOCKERFILE, re.compile(r"^([\w.-]+\.)?(dockerfile|containerfile)([-_.][\w.-]+)?$")),
    (SHELL, re.compile(r"\.(sh|bash|slurm|sbatch)$")),
)
_NOT_A_DOCKERFILE = re.compile(r"\.(dockerignore|py|md|rst|j2|jinja2?|tmpl|template|sh|txt|ya?ml|json|tf|lock|html)$")
_MANIFEST = re.compile(rb"^apiVersion:", re.MULTILINE)
_HAS_KIND = re.compile(rb"^kind:", re.MULTILINE)
_HAS_SERVICES = re.compile(rb"^services:", re.MULTILINE)
_HAS_DEPENDENCIES = re.compile(rb"^dependencies:", re.MULTILINE)
_DATA = re.compile(r"\.(ya?ml|toml|cfg)$")

LOCK_FILES = frozenset(("uv.lock", "poetry.lock", "pdm.lock", "pipfile.lock", "pixi.lock", "pylock.toml"))
_LOCK_NAME = re.compile(r"^(conda-lock\.ya?ml|[\w.-]+\.conda-lock\.ya?ml|conda-[\w.-]+\.lock|pylock\.[\w-]+\.toml)$")

# What makes a file worth parsing: the frameworks, GPUs and launchers that rules speak of, and our own comments.
_WORDS = re.compile(
    rb"torch|tensorflow|\bjax|lightning|\btimm\b|nvidia|cuda|cudnn|\bgpus?\b|accelerate|deepspeed|horovod|train|keras"
    rb"|finetun|fine-tun|SBATCH|transformers|dnnlint:",
    re.IGNORECASE,
)


def kind_by_name(path: str) -> str | None:
    """The kind of a file as its name alone tells it; None for names of other files and for most YAML."""
    folder, _, name = path.replace("\\", "/").lower().rpartition("/")
    if name.endswith(".txt") and folder.rpartition("/")[2] == "requirements":
        return REQUIREMENTS
    if _LOCK_NAME.match(name):
        return None
    for kind, pattern in _NAMES:
        if pattern.search(name) and not (kind == DOCKERFILE and _NOT_A_DOCKERFILE.search(name)):
            return kind
    return None


def may_be_manifest(path: str) -> bool:
    """Whether the bytes of a file decide what it is."""
    return path.lower().endswith((".yaml", ".yml"))


def kind_of(path: str, data: bytes) -> str | None:
    """The kind of a file; None for what is taken for Python, ``OTHER`` for data that no rule speaks of."""
    kind = kind_by_name(path)
    if may_be_manifest(path):
        if kind != COMPOSE and _MANIFEST.search(data) and _HAS_KIND.search(data):
            return KUBERNETES
        if kind == COMPOSE and not _HAS_SERVICES.search(data):
            return OTHER
        if kind == CONDA and not _HAS_DEPENDENCIES.search(data):
            return OTHER
        if kind is None:
            return OTHER
    if kind is None and _DATA.search(path.lower()):
        return OTHER
    return kind


def is_lock_file(name: str) -> bool:
    """Whether a file of this name holds exact versions that a tool resolved."""
    lowered = name.lower()
    return lowered in LOCK_FILES or _LOCK_NAME.match(lowered) is not None


def concerns_training(data: bytes) -> bool:
    """Whether anything in a file can matter to a rule."""
    return _WORDS.search(data) is not None
