"""The commands, one per file: a file is called like its command."""
