"""Campaign facts in words: names, log lines, changes and reasons."""
