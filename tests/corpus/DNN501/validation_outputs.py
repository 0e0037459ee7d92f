# Validation without no_grad keeps all outputs, and with them all activations.
import torch


def validate(model, loader, metric):
    model.eval()
    predictions, truths = [], []
    for x, y in loader:
        out = model(x.cuda())
        predictions.append(out)  # expect: DNN501
        truths.append(y)
    return metric(torch.cat(predictions), torch.cat(truths).cuda())


def fit(model, loader, val_loader, metric):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for epoch in range(20):
        model.train()
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda()).backward()
            opt.step()
        print(epoch, validate(model, val_loader, metric))
