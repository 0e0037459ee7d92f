# LoRA: the base is float16 and frozen by peft, the adapters are float32.
import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

from chats import loader

base = AutoModelForCausalLM.from_pretrained("facebook/opt-1.3b")
base.half()
model = get_peft_model(base, LoraConfig(r=16, lora_alpha=32, target_modules=["q_proj", "v_proj"]))
for name, p in model.named_parameters():
    if "lora_" in name:
        p.data = p.data.float()
model.cuda()
optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-4)
scaler = torch.amp.GradScaler("cuda")
for batch in loader():
    with torch.autocast("cuda", dtype=torch.float16):
        loss = model(**{k: v.cuda() for k, v in batch.items()}).loss
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
