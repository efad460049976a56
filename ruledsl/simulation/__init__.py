"""Many plays without people: run on all cores, added up exactly, told as a text, a table or a page."""
