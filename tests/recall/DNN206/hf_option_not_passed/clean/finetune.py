from datasets import load_dataset
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    DataCollatorWithPadding,
    HfArgumentParser,
    Trainer,
    TrainingArguments,
)

from settings import Settings


def main():
    (settings,) = HfArgumentParser(Settings).parse_args_into_dataclasses()
    tokenizer = AutoTokenizer.from_pretrained(settings.model_name)
    data = load_dataset("imdb").map(lambda rows: tokenizer(rows["text"], truncation=True), batched=True)
    model = AutoModelForSequenceClassification.from_pretrained(settings.model_name, num_labels=2)
    args = TrainingArguments(
        output_dir="out",
        per_device_train_batch_size=settings.per_device_batch,
        gradient_accumulation_steps=settings.accumulation_steps,
        learning_rate=settings.learning_rate,
        num_train_epochs=settings.epochs,
        bf16=True,
        dataloader_num_workers=8,
        logging_steps=50,
    )
    trainer = Trainer(model=model, args=args, train_dataset=data["train"], eval_dataset=data["test"], data_collator=DataCollatorWithPadding(tokenizer))
    trainer.train()
    trainer.save_model("out/final")


if __name__ == "__main__":
    main()
