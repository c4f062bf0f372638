"""Logs, metrics and error reports."""
