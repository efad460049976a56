"""What a designer works with: `watch`, and the language server for editors."""
