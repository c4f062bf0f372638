"""The words of six languages."""
