# The flag is computed at the top of the loop body; AMP branch and plain branch.
import torch


def train_epoch(args, model, loader, optimizer, scaler=None):
    n = args["grad_accum"]
    last = len(loader) - 1
    for idx, (inp, tgt) in enumerate(loader):
        update = (idx % n == n - 1) or idx == last
        with torch.autocast("cuda", dtype=torch.float16, enabled=scaler is not None):
            loss = torch.nn.functional.cross_entropy(model(inp.cuda()), tgt.cuda())
        if scaler is not None:
            scaler.scale(loss).backward()  # expect: DNN201
        else:
            loss.backward()
        if update:
            if scaler is not None:
                scaler.step(optimizer)
                scaler.update()
            else:
                optimizer.step()
            optimizer.zero_grad()


if __name__ == "__main__":
    from kelp import KelpNet, loader

    net = KelpNet().cuda()
    train_epoch({"grad_accum": 8}, net, loader(), torch.optim.SGD(net.parameters(), lr=0.1), torch.amp.GradScaler("cuda"))
