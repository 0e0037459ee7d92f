"""What is read out of each kind of file, and where it stands."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dnnlint.deploy import kinds
from dnnlint.deploy.build import build_file
from dnnlint.deploy.model import Dependency, DeployFile
from dnnlint.deploy.python_projects import to_specifier
from dnnlint.deploy.shell import read_script
from dnnlint.deploy.tree import Malformed
from dnnlint.deploy.yaml_reader import read_yaml


def read(kind: str, text: str, **neighbours: str) -> DeployFile:
    return build_file("file", kind, text, {name: data.encode() for name, data in neighbours.items()})


def shown(item: Dependency, text: str) -> str:
    """A dependency as it stands in the file."""
    return text[slice(*item.span)]


class TestRequirements:
    """Lines of pip."""

    TEXT = (
        "# é comment\n-r other.txt\n--extra-index-url https://example.org/whl/cu121\n"
        "Torch_Vision == 0.16 ; python_version > '3' # why\ntorch==2.1.0+cu121 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n"
        "-e .\ngit+https://example.org/x.git\nnumpy @ https://example.org/numpy.whl\n"
    )

    def test_names_versions_and_places(self) -> None:
        """Names are normalised, hashes and comments are no part of a requirement."""
        environment = read(kinds.REQUIREMENTS, self.TEXT).environments[0]
        assert [item.name for item in environment.dependencies] == ["torch-vision", "torch", "numpy"]
        assert environment.is_locked
        assert environment.indexes == ("https://example.org/whl/cu121",)
        torch = environment.dependencies[1]
        assert (torch.exact, torch.build) == ("2.1.0+cu121", "cu121")
        assert shown(torch, self.TEXT).startswith("torch==2.1.0+cu121")
        assert environment.dependencies[2].specifier is None


class TestProjects:
    """pyproject.toml and setup.cfg."""

    def test_groups_are_read_with_the_rest(self) -> None:
        """Each extra is installed beside the main dependencies."""
        text = (
            '[project]\nrequires-python = ">=3.10"\ndependencies = [\n  "numpy", # é\n  "torch>=2",\n]\n'
            '[project.optional-dependencies]\nvision = ["torchvision==0.16"]\n'
        )
        main, vision = read(kinds.PYPROJECT, text).environments
        assert [item.name for item in vision.dependencies] == ["numpy", "torch", "torchvision"]
        assert shown(main.dependencies[1], text) == "torch>=2"
        assert main.python is not None
        assert str(main.python.specifier) == ">=3.10"

    def test_poetry_tables(self) -> None:
        """Names are keys; a version may stand in a table."""
        text = (
            '[tool.poetry.dependencies]\npython = "^3.9"\ntorch = {version = "~2.1", optional = true}\ntimm = "0.9.2"\n'
        )
        environment = read(kinds.PYPROJECT, text).environments[0]
        assert [(item.name, str(item.specifier)) for item in environment.dependencies] == [
            ("torch", "<2.2,>=2.1"),
            ("timm", "==0.9.2"),
        ]

    @pytest.mark.parametrize(
        ("written", "specifier"),
        [("^1.2.3", "<2,>=1.2.3"), ("^0.2.3", "<0.3,>=0.2.3"), ("~1.2", "<1.3,>=1.2"), ("*", ""), (">=2,<3", "<3,>=2")],
    )
    def test_constraints_of_poetry(self, written: str, specifier: str) -> None:
        """A caret keeps the first part that is not zero."""
        assert str(to_specifier(written)) == specifier

    def test_setup_cfg(self) -> None:
        """Values stand on the lines below their key."""
        text = "[metadata]\nname = x\n[options]\ninstall_requires =\n    numpy\n    torch>=1.8\n[options.extras_require]\nvision = torchvision\n"
        main, vision = read(kinds.SETUP_CFG, text).environments
        assert [shown(item, text) for item in main.dependencies] == ["numpy", "torch>=1.8"]
        assert [item.name for item in vision.dependencies] == ["numpy", "torch", "torchvision"]


class TestConda:
    """environment.yml."""

    @pytest.mark.parametrize(
        ("written", "specifier", "build"),
        [
            ("pytorch=2.1", "==2.1.*", ""),
            ("pytorch==2.1.0", "==2.1.0", ""),
            ("pytorch>=2,<2.5", "<2.5,>=2", ""),
            ("pytorch=2.1.0=py3.10_cuda12.1_cudnn8.9.2_0", "==2.1.0.*", "py3.10_cuda12.1_cudnn8.9.2_0"),
            ("pytorch::pytorch=2.1", "==2.1.*", ""),
            ("pytorch", "", ""),
        ],
    )
    def test_match_specifications(self, written: str, specifier: str, build: str) -> None:
        """One equals sign leaves the rest of the version open."""
        text = f"dependencies:\n  - {written}\n  - pip:\n      - timm==1.0\n"
        torch, timm = read(kinds.CONDA, text).environments[0].dependencies
        assert (torch.name, str(torch.specifier), torch.build, torch.manager) == ("pytorch", specifier, build, "conda")
        assert (timm.manager, shown(timm, text)) == ("pip", "timm==1.0")


class TestDockerfile:
    """Stages, variables and commands."""

    TEXT = (
        "ARG CUDA=12.1\nARG OTHER\nFROM nvidia/cuda:${CUDA}-devel AS Base\nENV A=1 B=two\n"
        "RUN apt-get update && \\\n    # a comment\n    pip install torch==2.1.0 \\\n      numpy\n"
        "RUN <<EOF\npip install timm\nEOF\nFROM base\nUSER me\nFROM --platform=linux/amd64 ${OTHER:-x}\nCOPY --from=base /a /b\n"
        'CMD ["python", "train.py"]\n'
    )

    def test_stages(self) -> None:
        """A stage goes on from an earlier one whatever the case of its name."""
        file = read(kinds.DOCKERFILE, self.TEXT)
        assert [image.reference for image in file.images] == ["nvidia/cuda:12.1-devel", "base", "x"]
        assert [stage.base for stage in file.stages] == [None, 0, None]
        assert [stage.is_final for stage in file.stages] == [False, False, True]
        assert [word.text for word in file.stages[1].users] == ["me"]

    def test_commands(self) -> None:
        """Comment lines between continued lines and here-documents are read as a builder reads them."""
        file = read(kinds.DOCKERFILE, self.TEXT)
        assert ("pip", "install", "torch==2.1.0", "numpy") in [command.texts for command in file.commands]
        assert ("pip", "install", "timm") in [command.texts for command in file.commands]
        assert file.commands[-1].texts == ("python", "train.py")
        (environment,) = file.environments
        assert [shown(item, self.TEXT) for item in environment.dependencies] == ["torch==2.1.0", "numpy", "timm"]


class TestCompose:
    """Services."""

    TEXT = (
        "x-gpu: &gpu\n  gpus: all\nservices:\n  base:\n    <<: *gpu\n    image: a:1\n    environment: {A: '1'}\n"
        '  train:\n    extends:\n      service: base\n    command: bash -c "torchrun train.py && echo done"\n    shm_size: 8gb\n'
        "  tune:\n    image: b:2\n    environment: [CUDA_VISIBLE_DEVICES=0]\n    entrypoint: [python]\n    command: >\n      -m\n      tune\n"
    )

    def test_services_inherit(self) -> None:
        """Merge keys and ``extends`` bring what a service does not say itself."""
        base, train, tune = read(kinds.COMPOSE, self.TEXT).workloads
        assert (base.has_gpu, train.has_gpu, tune.has_gpu) == (True, True, False)
        assert train.image is not None
        assert train.image.reference == "a:1"
        assert (train.variables, tune.variables) == ({"A": "1"}, {"CUDA_VISIBLE_DEVICES": "0"})
        assert train.has_shared_memory
        assert self.TEXT[slice(*train.span)] == "train"

    def test_command_of_a_shell_is_read(self) -> None:
        """``bash -c`` holds a script."""
        train = read(kinds.COMPOSE, self.TEXT).workloads[1]
        assert ("torchrun", "train.py") in [command.texts for command in train.script.commands]


class TestKubernetes:
    """Pods wherever they are."""

    @pytest.mark.parametrize(
        ("kind", "path"),
        [
            ("Pod", "spec"),
            ("Job", "spec.template.spec"),
            ("StatefulSet", "spec.template.spec"),
            ("CronJob", "spec.jobTemplate.spec.template.spec"),
            ("TrainingRuntime", "spec.template.spec.job.template.spec"),
            ("PyTorchJob", "spec.pytorchReplicaSpecs.Worker.template.spec"),
        ],
    )
    def test_pod_is_found(self, kind: str, path: str) -> None:
        """Its container, limits and mounts are read."""
        lines = ["apiVersion: x/v1", f"kind: {kind}"]
        lines += [f"{'  ' * depth}{key}:" for depth, key in enumerate(path.split("."))]
        indent = "  " * (path.count(".") + 1)
        body = 'containers: [{name: c, image: "i:1", args: [python, a.py], resources: {limits: {nvidia.com/gpu: 1}}}]'
        (workload,) = read(kinds.KUBERNETES, "\n".join([*lines, indent + body, ""])).workloads
        assert (workload.kind, workload.name, workload.has_gpu, workload.has_shared_memory) == (kind, "c", True, False)
        assert workload.script.commands[0].texts == ("python", "a.py")

    def test_documents_and_autoscaler(self) -> None:
        """One file may hold several; a missing limit and a limit of zero are no GPU."""
        text = (
            "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    resources:\n      limits: {nvidia.com/gpu: 0, cpu: 1}\n"
            "---\napiVersion: autoscaling/v1\nkind: HorizontalPodAutoscaler\nspec:\n  scaleTargetRef: {kind: Deployment, name: d}\n"
            "  targetCPUUtilizationPercentage: 50\n"
        )
        file = read(kinds.KUBERNETES, text)
        assert not file.workloads[0].has_gpu
        assert [metric[:2] for metric in file.autoscalers[0].metrics] == [("Resource", "cpu")]

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("chart/templates/job.yaml", "apiVersion: v1\nkind: Pod\nspec: {a: '{{ .Values.x }}'}\n"),
            ("job.yaml", "apiVersion: v1\nkind: Pod\n{{- if .Values.x }}\nspec: 1\n{{- end }}\n"),
            ("job.yaml", "apiVersion: v1\nkind: Pod\nname: {{ .Values.name }}\n"),
        ],
        ids=["in a chart", "a statement", "a value"],
    )
    def test_template_is_recognised(self, name: str, text: str) -> None:
        """What is to be rendered first is no manifest yet."""
        assert build_file(name, kinds.KUBERNETES, text, {}).template is not None


class TestShell:
    """Scripts."""

    TEXT = (
        "#!/bin/bash\n#SBATCH --gres=gpu:4 -t 10:00  # why\n#SBATCH -c 8\nN=4\nM=$(nproc)\n"
        'while true; do\n  CUDA_VISIBLE_DEVICES=0 python train.py --n $N --m ${M} "$@" > log && sleep 60\ndone\n'
        "until python other.py; do sleep 1; done\n"
    )

    def test_words_and_variables(self) -> None:
        """A variable that is set once has its value, others keep their dollar sign."""
        command = next(item for item in read(kinds.SHELL, self.TEXT).commands if "train.py" in item.texts)
        assert command.texts == ("python", "train.py", "--n", "4", "--m", "${M}", "$@")
        assert command.variables == (("CUDA_VISIBLE_DEVICES", "0"),)
        assert self.TEXT[slice(*command.words[1].span)] == "train.py"

    def test_loops(self) -> None:
        """The loops around a command, and whether it is the condition."""
        script = read_script(self.TEXT)
        assert [(loop.keyword, loop.condition) for loop in script.loops] == [
            ("while", "true"),
            ("until", "python other.py"),
        ]
        assert [command.is_condition for command in script.commands if "other.py" in command.texts] == [True]

    def test_directives(self) -> None:
        """Options of a batch system, several on a line."""
        directives = read(kinds.SHELL, self.TEXT).directives
        assert [(item.name, item.value) for item in directives] == [("--gres", "gpu:4"), ("-t", "10:00"), ("-c", "8")]


MALFORMED = {
    "YAML": (kinds.COMPOSE, "services:\n  a: [1\n", 1),
    "TOML": (kinds.PYPROJECT, "[project]\nname = \n", 2),
    "loop without do": (kinds.SHELL, "a=1\nwhile true; python train.py && sleep 60\ndone\n", 2),
    "duplicate TOML key": (kinds.PYPROJECT, "a = 1\na = 2\n", 2),
}


@pytest.mark.parametrize(("kind", "text", "line"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_file_is_named_with_its_place(kind: str, text: str, line: int) -> None:
    """A file that does not parse says where."""
    with pytest.raises(Malformed) as caught:
        read(kind, text)
    assert text.count("\n", 0, caught.value.offset) + 1 >= line


def test_aliases_do_not_explode() -> None:
    """A few lines of nested aliases stand for billions of nodes and are read in no time."""
    lines = ["a0: &a0 [x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12))]
    assert len(read_yaml("\n".join(lines))) == 1


READABLE = st.sampled_from([kinds.REQUIREMENTS, kinds.CONDA, kinds.PYPROJECT, kinds.SETUP_CFG, kinds.DOCKERFILE])
ALL_KINDS = st.one_of(READABLE, st.sampled_from([kinds.COMPOSE, kinds.KUBERNETES, kinds.SHELL]))
PIECES = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.sampled_from(
            [
                "FROM a\n",
                "RUN ",
                "services:\n",
                "- ",
                "[x]\n",
                "torch",
                "==",
                "\\\n",
                "<<EOF\n",
                "while true; do ",
                "done",
            ]
        ),
    ),
    max_size=12,
)


@settings(deadline=None, max_examples=300)
@given(ALL_KINDS, PIECES.map("".join))
def test_no_text_crashes_a_parser(kind: str, text: str) -> None:
    """Whatever stands in a file, it is read or named as malformed, and places lie in the text."""
    try:
        file = read(kind, text)
    except Malformed:
        return
    spans = [item.span for environment in file.environments for item in environment.dependencies]
    spans += [command.span for command in file.commands] + [image.span for image in file.images]
    assert all(0 <= start <= end <= len(text) for start, end in spans)
