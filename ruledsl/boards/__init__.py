"""Boards: what the spaces of a game are, how they are joined, and how they are drawn."""
