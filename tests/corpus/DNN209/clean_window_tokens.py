import torch


def train(model, tokenizer, windows):
    criterion = torch.nn.CrossEntropyLoss(ignore_index=tokenizer.pad_token_id, reduction="sum")
    optimizer = torch.optim.AdamW(model.parameters())
    for window in windows:
        count = sum((labels != tokenizer.pad_token_id).sum() for _, labels in window)
        for tokens, labels in window:
            (criterion(model(tokens).flatten(0, 1), labels.flatten()) / count).backward()
        optimizer.step()
        optimizer.zero_grad()
