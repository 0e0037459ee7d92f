"""Ask the machine; every probe answers within a time limit and never raises."""
