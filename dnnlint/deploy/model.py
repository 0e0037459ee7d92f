"""What rules ask a deployment file about: dependencies, images, workloads, commands, GPUs; each with its place."""

from __future__ import annotations

from collections.abc import Mapping as MappingType
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dnnlint.deploy.tree import Mapping, Span

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet


@dataclass(frozen=True, slots=True)
class Dependency:
    """A package that is asked for, under its normalised name."""

    name: str
    specifier: SpecifierSet | None
    """None where the file says nothing that can be compared: a URL, a path, a variable, a tag such as ``latest``."""
    span: Span
    written: str
    manager: str = "pip"
    """``pip`` or ``conda``."""
    marker: str = ""
    build: str = ""
    """The local version or conda build string, which names the CUDA version."""
    channel: str = ""

    @property
    def exact(self) -> str:
        """The one version that is allowed, with ``1.13.*`` as 1.13; empty for a range."""
        pins = [part.version for part in self.specifier or () if part.operator in ("==", "===")]
        return pins[0].removesuffix(".*") if pins else ""


@dataclass(frozen=True, slots=True)
class Channel:
    """A conda channel that is asked for."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Environment:
    """What is installed together: one file, one group of extras, or one stage of an image."""

    dependencies: tuple[Dependency, ...]
    python: Dependency | None = None
    indexes: tuple[str, ...] = ()
    """The further package indexes; those of PyTorch name a CUDA version."""
    channels: tuple[Channel, ...] = ()
    is_library: bool = False
    is_locked: bool = False
    """Whether a lock file, hashes or a file of constraints hold exact versions."""
    constrained: frozenset[str] = frozenset()
    """The packages that a file of constraints bounds."""

    def find(self, *names: str) -> Dependency | None:
        """The first dependency of one of the names."""
        return next((item for item in self.dependencies if item.name in names), None)


@dataclass(frozen=True, slots=True)
class Image:
    """An image that is built upon or run, with its variables filled in."""

    reference: str
    """As it would be pulled; holds ``$`` where a variable has no value."""
    span: Span
    is_built_here: bool = False
    """Whether the same file builds it, so that its name is chosen here."""

    @property
    def repository(self) -> str:
        """The name without tag and digest."""
        name = self.reference.partition("@")[0]
        head, slash, last = name.rpartition("/")
        return head + slash + last.partition(":")[0]

    @property
    def tag(self) -> str:
        """The tag; empty when there is none."""
        return self.reference.partition("@")[0].rpartition("/")[2].partition(":")[2]

    @property
    def digest(self) -> str:
        """The digest; empty when there is none."""
        return self.reference.partition("@")[2]


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a command, its quotes taken off and known variables filled in."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of a shell script that goes on by a condition."""

    keyword: str
    """``while`` or ``until``."""
    condition: str
    span: Span
    header: Span
    body: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command with its arguments, without redirections and variables set for it."""

    words: tuple[Word, ...]
    span: Span
    loops: tuple[Loop, ...] = ()
    """The loops around it, the innermost first."""
    variables: tuple[tuple[str, str], ...] = ()
    """What is set for this command alone."""
    is_condition: bool = False
    """Whether the innermost loop asks for its outcome."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The words as text."""
        return tuple(word.text for word in self.words)


@dataclass(frozen=True, slots=True)
class Script:
    """The commands of a shell script, or of a place where another file holds one."""

    commands: tuple[Command, ...] = ()
    loops: tuple[Loop, ...] = ()
    exits: tuple[Span, ...] = ()
    """``break``, ``exit``, ``return`` and ``exec``."""


@dataclass(frozen=True, slots=True)
class Workload:
    """A container that a compose file or a manifest starts."""

    kind: str
    """``compose`` or the kind of the manifest, for example ``PyTorchJob``."""
    name: str
    span: Span
    """Of what names it."""
    image: Image | None
    script: Script
    variables: MappingType[str, str]
    has_gpu: bool
    """Whether a device is reserved for it."""
    has_shared_memory: bool
    spec: Mapping
    role: str = ""
    """In a job of several roles: ``Master``, ``Worker``, ``Launcher``."""
    gpu_names: tuple[tuple[str, Span], ...] = ()
    """GPU models that it is bound to."""
    labels: str = ""
    """Names of the objects around it."""
    shared_memory: str = ""
    """Its size as written."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of an image build."""

    image: Image
    base: int | None
    """The stage it goes on from."""
    users: tuple[Word, ...]
    is_final: bool
    variables: MappingType[str, Word]
    starts: Script
    """CMD and ENTRYPOINT."""


@dataclass(frozen=True, slots=True)
class Autoscaler:
    """A HorizontalPodAutoscaler."""

    span: Span
    target: str
    metrics: tuple[tuple[str, str, Span], ...]
    """Type, name and place of each metric."""


@dataclass(frozen=True, slots=True)
class Directive:
    """An option of a batch system, from an ``#SBATCH`` line."""

    name: str
    value: str
    span: Span


@dataclass(slots=True)
class DeployFile:
    """An environment or deployment file as rules see it."""

    name: str
    kind: str
    text: str
    environments: list[Environment] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)
    scripts: list[Script] = field(default_factory=list)
    workloads: list[Workload] = field(default_factory=list)
    autoscalers: list[Autoscaler] = field(default_factory=list)
    directives: list[Directive] = field(default_factory=list)
    comments: list[tuple[int, str]] = field(default_factory=list)
    """Offset and text of each comment."""
    continued: list[Span] = field(default_factory=list)
    """Statements over several lines."""
    template: Span | None = None
    """Where a template language begins, when the file is no manifest yet."""
    neighbours: MappingType[str, bytes] = field(default_factory=dict)
    """Files that this one names or that lie beside it, by their path relative to it."""

    @property
    def commands(self) -> list[Command]:
        """The commands of all scripts."""
        return [command for script in self.scripts for command in script.commands]
