"""What is said about the files of a game: findings with a code, a place and advice; how they are shown and fixed."""
