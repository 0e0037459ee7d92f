from transformers import Trainer, TrainingArguments


def main(model, data):
    args = TrainingArguments(  # expect: DNN606
        output_dir="out",
        bf16=True,
        ddp_find_unused_parameters=True,
    )
    Trainer(model=model, args=args, train_dataset=data).train()
