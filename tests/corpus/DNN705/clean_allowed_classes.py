# The classes of the project are allowed by name.
import torch
from schedule import Schedule

torch.serialization.add_safe_globals([Schedule])
state = torch.load("last.pt", weights_only=True)
