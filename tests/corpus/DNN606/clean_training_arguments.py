from transformers import Trainer, TrainingArguments


def main(model, data):
    args = TrainingArguments(output_dir="out", ddp_find_unused_parameters=False)
    Trainer(model=model, args=args, train_dataset=data).train()
