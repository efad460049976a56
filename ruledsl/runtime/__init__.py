"""A game as its players meet it: plays, decisions, views, results."""
