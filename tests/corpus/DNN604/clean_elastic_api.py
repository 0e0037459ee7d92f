from torch.distributed.launcher.api import LaunchConfig, elastic_launch

config = LaunchConfig(min_nodes=1, max_nodes=4, nproc_per_node=8)
elastic_launch(config, print)("ready")
