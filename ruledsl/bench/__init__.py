"""How fast games are played: plays, copies and loading measured by the CPU, beside others in the same run."""
