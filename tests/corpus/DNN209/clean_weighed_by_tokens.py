import torch


def train(model, tokenizer, windows, n):
    criterion = torch.nn.CrossEntropyLoss(ignore_index=tokenizer.pad_token_id)
    optimizer = torch.optim.AdamW(model.parameters())
    for window, total in windows:
        for k in range(n):
            tokens, labels = window[k]
            own = (labels != tokenizer.pad_token_id).sum()
            loss = criterion(model(tokens).flatten(0, 1), labels.flatten()) * own / total
            loss.backward()
        optimizer.step()
        optimizer.zero_grad()
