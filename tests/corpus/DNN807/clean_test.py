# A test of the masks.
import pytest

import torch
from torch import nn
from torch.nn.utils import prune

net = nn.Linear(4, 4)
prune.l1_unstructured(net, "weight", amount=0.5)


@pytest.mark.parametrize("name", ["weight_mask", "weight_orig"])
def test_it_is_there(name):
    assert hasattr(net, name) and torch.is_tensor(getattr(net, name))
