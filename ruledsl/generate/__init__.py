"""Programs as source code of another language: Python and C, specialised to one game, its options and players."""
