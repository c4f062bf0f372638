"""The tables at commit c3713417: the oldest that a database may have.

A new database gets the present tables at once, so nothing leads here.
"""

revision = "0046"
down_revision = None
