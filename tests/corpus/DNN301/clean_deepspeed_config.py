# DeepSpeed clips by its configuration.
import deepspeed
import torch

from novels import Net, chapters

ds_config = {
    "train_batch_size": 64,
    "gradient_clipping": 1.0,
    "fp16": {"enabled": True},
    "optimizer": {"type": "Adam", "params": {"lr": 1e-4}},
}
net = Net()
engine, optimizer, loader, scheduler = deepspeed.initialize(
    model=net, model_parameters=net.parameters(), training_data=chapters(), config=ds_config
)
for ids in loader:
    loss = engine(ids.to(torch.device("cuda", engine.local_rank)))
    engine.backward(loss)
    engine.step()
