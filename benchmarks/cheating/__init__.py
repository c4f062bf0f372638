"""Searches for what cheating brings: plans of acts, judged by the real rules. docs/fair-games.md has what they find."""
