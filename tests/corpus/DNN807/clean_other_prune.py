# The pruning of another library.
import torch
import torch_pruning
from torch import nn

net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.Conv2d(8, 8, 3))
graph = torch_pruning.DependencyGraph().build_dependency(net, example_inputs=torch.ones(1, 3, 16, 16))
graph.get_pruning_group(net[0], torch_pruning.prune_conv_out_channels, idxs=[0, 2]).prune()
