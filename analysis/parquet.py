"""Parquet files that know how they were made, sealed, and written whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import InputError
from .files import replacing
from .sealed import content_of, refuse, seal_table, unsealed_table

if TYPE_CHECKING:
    import pyarrow as pa

_KEY = b"gupai"  # of what a file says of its making


def write_table(
    path: Path, columns: dict[str, Any], facts: dict[str, Any], *, kept: str, level: int = 3
) -> None:
    """Write columns as Parquet, sealed, under another name and move the file into place.

    Parameters
    ----------
    path : Path
    columns : dict of str to arrays
    facts : dict
        What it took to make the file, kept in it as JSON.
    kept : str
        What the file is, told among the facts.
    level : int
        Of the compression.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    told = json.dumps(facts | {"kept": kept}).encode()
    table = pa.table(columns).replace_schema_metadata({_KEY: told})
    buffer = pa.BufferOutputStream()  # pyarrow would take a name such as jan:run for an address
    pq.write_table(table, buffer, compression="zstd", compression_level=level, write_page_checksum=True)
    content = seal_table(buffer.getvalue().to_pybytes())
    with replacing(path) as beside:
        beside.write_bytes(content)


def read_table(path: Path, kept: str, *, cure: str = "") -> tuple[dict[str, Any], pa.Table]:
    """What a kept Parquet file says of its making, and its columns.

    Of a file without a seal, which an older gupai wrote, the facts have no ``kept``.

    Raises
    ------
    InputError
        Naming the file, if it cannot be read, any bit of it was changed, or it is something else.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    content = content_of(path)
    if len(content) < 12 or not content.startswith(b"PAR1") or not content.endswith(b"PAR1"):
        refuse(path, "it is no whole Parquet file", cure)
    plain = unsealed_table(path, content, cure)
    try:
        file = pa.BufferReader(content if plain is None else plain)
        table = pq.read_table(file, page_checksum_verification=True)
        text = (table.schema.metadata or {}).get(_KEY)
        facts = json.loads(text) if text else None
    except Exception as error:  # whatever a spoilt file may lead to
        refuse(path, str(error) or type(error).__name__, cure)
    if not isinstance(facts, dict):
        raise InputError(f"{path}: was not written by gupai; put it elsewhere")
    if (plain is None) != ("kept" not in facts):
        refuse(path, "it has lost its seal", cure)
    if facts.get("kept", kept) != kept:
        raise InputError(f"{path}: holds another thing ({str(facts['kept'])[:40]}), no {kept}")
    return facts, table


def is_of_gupai(path: Path) -> bool:
    """Whether a file is a table that this program wrote."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        schema = pq.read_schema(pa.BufferReader(content_of(path)))
    except (OSError, ValueError):
        return False
    return _KEY in (schema.metadata or {})
