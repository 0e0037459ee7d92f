# Hugging Face Trainer with fp16=True scales by itself.
from datasets import load_dataset
from transformers import AutoModelForSequenceClassification, AutoTokenizer, Trainer, TrainingArguments

tokenizer = AutoTokenizer.from_pretrained("distilbert-base-uncased")
model = AutoModelForSequenceClassification.from_pretrained("distilbert-base-uncased", num_labels=2)
data = load_dataset("imdb").map(lambda row: tokenizer(row["text"], truncation=True), batched=True)

settings = TrainingArguments(
    output_dir="out",
    fp16=True,
    per_device_train_batch_size=16,
    num_train_epochs=2,
    dataloader_num_workers=8,
)
trainer = Trainer(model=model, args=settings, train_dataset=data["train"], processing_class=tokenizer)
trainer.train()
