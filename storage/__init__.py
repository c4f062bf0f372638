"""Matches as rows: implements the ports of play.store on a database."""

from storage.database import Database, address, clock, file_of, migrate
from storage.file_lock import InUse

__all__ = ["Database", "InUse", "address", "clock", "file_of", "migrate"]
