# DeepSpeed keeps FP32 master weights for the float16 model.
import deepspeed

from codegen import CodeModel, examples

model = CodeModel(layers=24).half()
engine, _, loader, _ = deepspeed.initialize(
    model=model,
    model_parameters=model.parameters(),
    training_data=examples(),
    config={"train_micro_batch_size_per_gpu": 4, "fp16": {"enabled": True}, "optimizer": {"type": "AdamW"}},
)
for prompt, answer in loader:
    loss = engine(prompt.to(engine.device), answer.to(engine.device))
    engine.backward(loss)
    engine.step()
