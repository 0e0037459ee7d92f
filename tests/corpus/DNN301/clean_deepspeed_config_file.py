# DeepSpeed with a configuration file: what it clips is not visible.
import argparse

import deepspeed

parser = argparse.ArgumentParser()
parser.add_argument("--local_rank", type=int, default=0)
deepspeed.add_config_arguments(parser)
args = parser.parse_args()

from kelp import KelpNet, unlabelled  # noqa: E402

net = KelpNet()
engine, _, loader, _ = deepspeed.initialize(args, model=net, training_data=unlabelled())
for x in loader:
    loss = engine(x.to(engine.device))
    engine.backward(loss)
    engine.step()
