from dataclasses import dataclass


@dataclass
class Settings:
    model_name: str = "distilbert-base-uncased"
    per_device_batch: int = 8
    accumulation_steps: int = 8  # or: DNN206
    learning_rate: float = 2e-5
    epochs: int = 3
