# DeepSpeed owns the loss scale: engine.backward and engine.step.
import argparse

import deepspeed
import torch

from lm import Decoder, corpus


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser = deepspeed.add_config_arguments(parser)
    args = parser.parse_args()

    model = Decoder(vocab=32000, width=1024, depth=12)
    engine, optimizer, loader, _ = deepspeed.initialize(
        args=args, model=model, model_parameters=model.parameters(), training_data=corpus("train")
    )
    for ids in loader:
        ids = ids.to(engine.device)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = engine(ids[:, :-1], labels=ids[:, 1:])
        engine.backward(loss)
        engine.step()


if __name__ == "__main__":
    main()
