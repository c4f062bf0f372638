"""What is said, on any surface: words, sentences and tables, in the markup of a surface."""
