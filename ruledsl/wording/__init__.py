"""How things are said in a language: templates, nouns and their forms. Knows nothing of games."""
