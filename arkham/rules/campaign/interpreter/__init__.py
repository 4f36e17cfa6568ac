"""Folds the answers of a log over a guide, step by step."""
