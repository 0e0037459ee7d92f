# A subclass of the Hugging Face Trainer only changes the loss.
from transformers import Trainer, TrainingArguments

from kelp import KelpNet, KelpSet


class Weighted(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        outputs = model(**inputs)
        loss = (outputs.loss * inputs["weight"]).mean()
        return (loss, outputs) if return_outputs else loss


Weighted(model=KelpNet(), args=TrainingArguments("out"), train_dataset=KelpSet("train")).train()
