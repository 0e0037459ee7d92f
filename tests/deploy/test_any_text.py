"""No text of a deployment file crashes a check, and its findings lie in the file."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dnnlint.config.model import Config, Overrides
from dnnlint.config.selectors import Selectors
from dnnlint.config.settings import SettingsResolver
from dnnlint.engine.analyse import Job, check_file
from dnnlint.engine.codec import decode_result, encode_result
from dnnlint.engine.source import LineTable

NAMES = st.sampled_from(
    "Dockerfile compose.yaml pod.yaml environment.yml requirements.txt pyproject.toml setup.cfg run.sh a.slurm".split()
)
PIECES = st.sampled_from(
    [
        "FROM pytorch/pytorch:latest\n",
        "FROM nvidia/cuda:${X:-13.0} AS a\nUSER root\n",
        'ENV TORCH_CUDA_ARCH_LIST="7.0;9.0"\n',
        "RUN pip install torch 'torchvision==0.15.2' torch==2.0.0+cu118\n",
        "CMD while true; do python train.py; done\n",
        "services:\n  train:\n    image: pytorch:latest\n    command: python train.py\n",
        "    environment: [CUDA_VISIBLE_DEVICES=0]\n",
        "    shm_size: 64m\n",
        "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: train\n    image: a/cuda\n    command: [torchrun, train.py]\n",
        "  nodeSelector: {nvidia.com/gpu.product: V100}\n",
        "---\nkind: HorizontalPodAutoscaler\nspec: {metrics: [{type: Resource, resource: {name: gpu}}]}\n",
        "channels: [pytorch]\ndependencies:\n- pytorch>=2\n- nvidia-smi\n- torchvision=0.12\n",
        "torch==1.13.1\ntorchvision==0.15.2\nlightning==2.4\n",
        "torch\n",
        '[project]\ndependencies = ["torch==99", "torchaudio==0.13"]\nrequires-python = ">=3.12"\n',
        "[options]\ninstall_requires =\n  torch\n",
        "#SBATCH --gres=gpu:v100:4 -c 2\nnvidia-smi --limit=1\n",
        "while python train.py; do sleep 1; done\n",
        "# noqa: DNN904\n",
        "# dnnlint: ignore\n",
    ]
)
TEXTS = st.lists(st.one_of(PIECES, PIECES, st.text(max_size=10)), max_size=6).map("".join)
SELECTORS = Selectors()
EVERY_RULE = SettingsResolver(SELECTORS, Overrides(select=("ALL",))).for_file("a", Config(""))


@settings(deadline=None, max_examples=400)
@given(NAMES, TEXTS)
def test_no_text_crashes_a_check(name: str, text: str) -> None:
    """Every place exists, findings are in order, and they survive the cache."""
    data = text.encode("utf-8", "replace")
    result = check_file(Job(name, data, EVERY_RULE), SELECTORS)
    assert result.errors == ()
    places = [finding.sort_key for finding in result.findings]
    assert places == sorted(places)
    last = LineTable(data.decode()).line(len(text))
    for finding in result.findings:
        assert 1 <= finding.line <= finding.end_line <= last
        assert (finding.line, finding.column) < (finding.end_line, finding.end_column)
    assert decode_result(encode_result(result), name).findings == result.findings
