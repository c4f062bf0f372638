"""The store: what was played, as rows of a database."""

from storage.database import Database
from storage.engines import address, database_time, file_of, migrate, require_known, require_tables
from storage.file_lock import InUse

__all__ = ["Database", "InUse", "address", "database_time", "file_of", "migrate", "require_known", "require_tables"]
