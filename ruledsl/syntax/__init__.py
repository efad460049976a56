"""What is written in expressions and maps, before any name is known."""
