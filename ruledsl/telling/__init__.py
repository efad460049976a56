"""A game told in sentences, from what its rules mean: `describe` and `rulebook`."""
