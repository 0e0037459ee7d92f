# opacus: BatchMemoryManager turns zero_grad and step of the physical batches into virtual ones.
import torch
from opacus import PrivacyEngine
from opacus.utils.batch_memory_manager import BatchMemoryManager
from torch import nn

from clinics import PatientNet, loader as make_loader

model = PatientNet()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
engine = PrivacyEngine()
model, optimizer, loader = engine.make_private(
    module=model, optimizer=optimizer, data_loader=make_loader(), noise_multiplier=1.1, max_grad_norm=1.0
)
for epoch in range(15):
    with BatchMemoryManager(data_loader=loader, max_physical_batch_size=64, optimizer=optimizer) as small:
        for x, y in small:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
    print(epoch, engine.get_epsilon(1e-5))
