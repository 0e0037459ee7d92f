# DeepSpeed scales by gradient_accumulation_steps inside engine.backward.
import deepspeed

from wiki import GPT, chunks

CONFIG = {
    "train_micro_batch_size_per_gpu": 2,
    "gradient_accumulation_steps": 16,
    "gradient_clipping": 1.0,
    "optimizer": {"type": "AdamW", "params": {"lr": 3e-4}},
    "bf16": {"enabled": True},
}

model = GPT(layers=12)
engine, _, loader, _ = deepspeed.initialize(
    model=model, model_parameters=model.parameters(), training_data=chunks(), config=CONFIG
)
for step, ids in enumerate(loader):
    loss = engine(ids.to(engine.device))
    engine.backward(loss)
    engine.step()
    if step % 100 == 0 and engine.local_rank == 0:
        print(step, loss.item())
