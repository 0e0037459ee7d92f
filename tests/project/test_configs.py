"""Values from configuration files that a program loads."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.project.test_linking import check, write

YAML = "data:\n  batch_size: 32\n  num_workers: {workers}\n"
JSON = '{{"data": {{"batch_size": 32, "num_workers": {workers}}}}}'
TOML = "[data]\nbatch_size = 32\nnum_workers = {workers}\n"
USE = "import torch\nloader = torch.utils.data.DataLoader(range(8), shuffle=True, num_workers={})\n"
PROGRAMS = {
    "yaml": (
        {"config.yaml": YAML},
        "import yaml\nwith open('config.yaml') as file:\n    cfg = yaml.safe_load(file)\n"
        + USE.format("cfg['data']['num_workers']"),
    ),
    "unpacked": (
        {"config.yaml": "num_workers: {workers}\nbatch_size: 2\n"},
        "import yaml, torch\ncfg = yaml.safe_load(open('config.yaml'))\n"
        "loader = torch.utils.data.DataLoader(range(8), shuffle=True, **cfg)\n",
    ),
    "json by pathlib": (
        {"conf/base.json": JSON},
        "import json\nfrom pathlib import Path\n"
        "cfg = json.loads((Path(__file__).parent / 'conf/base.json').read_text())\n"
        + USE.format("cfg['data'].get('num_workers', 8)"),
    ),
    "toml": (
        {"config.toml": TOML},
        "import tomllib\nwith open('config.toml', 'rb') as file:\n    cfg = tomllib.load(file)\n"
        + USE.format("cfg['data']['num_workers']"),
    ),
    "path from the command line": (
        {"configs/base.yaml": YAML},
        "import argparse, yaml\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--config', default='configs/base.yaml')\nargs = parser.parse_args()\n"
        "cfg = yaml.safe_load(open(args.config))\n" + USE.format("cfg['data']['num_workers']"),
    ),
    "omegaconf": (
        {"config.yaml": YAML},
        "from omegaconf import OmegaConf\n"
        "cfg = OmegaConf.merge(OmegaConf.load('config.yaml'), OmegaConf.from_cli())\n"
        + USE.format("cfg.data.num_workers"),
    ),
    "hydra with groups": (
        {
            "conf/config.yaml": "defaults:\n  - data: cifar\n  - _self_\nseed: 1\n",
            "conf/data/cifar.yaml": "num_workers: {workers}\n",
        },
        "import hydra, torch\n"
        "@hydra.main(config_path='conf', config_name='config', version_base=None)\n"
        "def main(cfg):\n"
        "    return torch.utils.data.DataLoader(range(8), shuffle=True, num_workers=cfg.data.num_workers)\n"
        "\nmain()\n",
    ),
}


@pytest.mark.parametrize("workers", [2, 10])
@pytest.mark.parametrize(("configs", "script"), PROGRAMS.values(), ids=PROGRAMS)
def test_value_of_a_configuration_file(configs: dict[str, str], script: str, workers: int, tmp_path: Path) -> None:
    """Only a value out of range is reported, and the message says which file and key it comes from."""
    names = write(
        tmp_path, {name: text.format(workers=workers) for name, text in configs.items()} | {"train.py": script}
    )
    findings = check(tmp_path, "DNN401", names).findings
    assert bool(findings) is (workers == 2)
    assert all("num_workers` in conf" in finding.message for finding in findings)


@pytest.mark.parametrize("content", ["a: [", "- 1\n- 2\n", "data: 3\n", "data:\n  num_workers: ${oc.env:W}\n", ""])
def test_file_that_says_nothing(content: str, tmp_path: Path) -> None:
    """A broken or other file, or an interpolation, leaves the value unknown."""
    script = "import yaml\ncfg = yaml.safe_load(open('config.yaml'))\n" + USE.format("cfg['data']['num_workers']")
    names = write(tmp_path, {"config.yaml": content, "train.py": script})
    assert check(tmp_path, "DNN401", names).findings == ()


def test_changed_configuration_is_read_again(tmp_path: Path) -> None:
    """The cache knows that the result depends on the file."""
    configs, script = PROGRAMS["yaml"]
    for workers, expected in ((2, 1), (10, 0)):
        names = write(tmp_path, {"config.yaml": configs["config.yaml"].format(workers=workers), "train.py": script})
        assert len(check(tmp_path, "DNN401", names, tmp_path / "cache").findings) == expected
