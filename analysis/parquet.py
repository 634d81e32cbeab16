"""Parquet files that know how they were made, written whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .files import replacing

if TYPE_CHECKING:
    import pyarrow as pa

_KEY = b"gupai"  # of what a file says of its making


def write_table(path: Path, columns: dict[str, Any], facts: dict[str, Any], level: int = 3) -> None:
    """Write columns as Parquet under another name and move the file into place.

    Parameters
    ----------
    path : Path
    columns : dict of str to arrays
    facts : dict
        What it took to make the file, kept in it as JSON.
    level : int
        Of the compression.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table(columns).replace_schema_metadata({_KEY: json.dumps(facts).encode()})
    with replacing(path) as beside:
        pq.write_table(
            table, beside, compression="zstd", compression_level=level, write_page_checksum=True
        )


def read_table(path: Path) -> pa.Table:
    """A Parquet file, its checksums looked at.

    Raises
    ------
    OSError, ValueError
        If it is damaged or no such file.
    """
    import pyarrow.parquet as pq

    return pq.read_table(path, page_checksum_verification=True)


def facts_of(path: Path) -> dict[str, Any] | None:
    """What a Parquet file says of its making; None if this program did not write it.

    Raises
    ------
    OSError, ValueError
        If it is damaged or no such file.
    """
    import pyarrow.parquet as pq

    text = (pq.read_schema(path).metadata or {}).get(_KEY)
    facts: dict[str, Any] | None = json.loads(text) if text else None
    return facts


def is_of_gupai(path: Path, fingerprint: str | None = None) -> bool:
    """Whether a file is a table that this program wrote (with this fingerprint)."""
    try:
        facts = facts_of(path)
    except (OSError, ValueError):
        return False
    return facts is not None and fingerprint in (None, facts["fingerprint"])
