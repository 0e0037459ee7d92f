"""One label a text: the mean is over texts."""
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased")
optimizer = torch.optim.AdamW(model.parameters())
for i, (texts, labels) in enumerate(loader):
    batch = tokenizer(texts, padding=True, return_tensors="pt")
    loss = model(**batch, labels=labels).loss / 8
    loss.backward()
    if (i + 1) % 8 == 0:
        optimizer.step()
        optimizer.zero_grad()
