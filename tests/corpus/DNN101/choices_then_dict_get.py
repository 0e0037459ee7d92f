# The dtype comes out of dict.get over an option with fp16 among its choices.
import argparse

import torch

DTYPES = dict(fp16=torch.float16, bf16=torch.bfloat16)


def cli():
    p = argparse.ArgumentParser()
    g = p.add_argument_group("precision")
    g.add_argument("--amp-dtype", type=str, choices=list(DTYPES), default="fp16")
    return p.parse_args()


def main():
    opt = cli()
    amp_dtype = DTYPES.get(opt.amp_dtype, torch.bfloat16)
    from lenses import LensNet, loader

    net = LensNet().cuda()
    adam = torch.optim.Adam(net.parameters(), lr=1e-3)
    for x, y in loader():
        with torch.autocast("cuda", dtype=amp_dtype):
            loss = torch.nn.functional.mse_loss(net(x.cuda()), y.cuda())
        adam.zero_grad()
        loss.backward()  # expect: DNN101
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        adam.step()


if __name__ == "__main__":
    main()
