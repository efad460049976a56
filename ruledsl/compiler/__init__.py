"""The stages from files to programs, in order."""
