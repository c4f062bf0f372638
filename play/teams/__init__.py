"""Server against server: contests, their boards, and the table of a season."""
