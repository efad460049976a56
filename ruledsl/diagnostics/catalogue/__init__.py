"""One file per family of codes; the letter says which stage speaks."""
