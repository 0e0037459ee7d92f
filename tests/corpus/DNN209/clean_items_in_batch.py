import torch
from transformers import AutoModelForCausalLM, DataCollatorForSeq2Seq

model = AutoModelForCausalLM.from_pretrained("gpt2")
collate = DataCollatorForSeq2Seq(tokenizer)
optimizer = torch.optim.AdamW(model.parameters())
for window in windows:
    count = sum((batch["labels"] != -100).sum() for batch in window)
    for k in range(4):
        loss = model(**window[k], num_items_in_batch=count).loss
        loss.backward()
    optimizer.step()
    optimizer.zero_grad()
