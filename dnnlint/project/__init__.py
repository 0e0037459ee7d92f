"""The files of a project and how they import each other, from their texts alone: nothing here needs a parser."""
