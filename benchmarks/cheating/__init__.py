"""Searches for what cheating brings: plans of acts, judged by the real rules. Figures: docs/fair-play-lab.md."""
