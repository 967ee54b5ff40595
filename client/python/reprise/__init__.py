"""Client for Reprise: procedures and SQL over the native protocol."""

from .client import CallError, Client, ConnectionRefused, OutcomeUnknown, Rows, connect
from .hashing import bucket

__all__ = ["CallError", "Client", "ConnectionRefused", "OutcomeUnknown", "Rows", "bucket", "connect"]
