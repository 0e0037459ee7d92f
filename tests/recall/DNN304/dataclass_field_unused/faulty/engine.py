def train_epoch(model, loader, optimizer, cfg):
    model.train()
    for i, (idx, targets) in enumerate(loader):
        optimizer.zero_grad(set_to_none=True)
        _, loss = model(idx.cuda(), targets.cuda())
        loss.backward()
        optimizer.step()  # or: DNN304
        if i % 100 == 0:
            print(i, loss.item())
