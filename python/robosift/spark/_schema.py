"""Schemas of Spark as Arrow has them, as far as rows are read from them, and back, for the few types that verdicts have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql.types import StructType


def of_arrow(fields: list[tuple[Any, Any]]) -> StructType:
    """A schema of Spark: for each field the field of the rows it is, or its Arrow field."""
    from pyspark.sql.types import StructField, StructType

    spark = [field if field is not None else StructField(arrow.name, of_type(arrow.type), True) for field, arrow in fields]
    return StructType(spark)


def of_type(kind: Any) -> Any:
    """The type of Spark for the type of a verdict column."""
    import pyarrow
    from pyspark.sql import types

    known = {
        pyarrow.bool_(): types.BooleanType(),
        pyarrow.string(): types.StringType(),
        pyarrow.int16(): types.ShortType(),
        pyarrow.int32(): types.IntegerType(),
        pyarrow.int64(): types.LongType(),
        pyarrow.timestamp("us", tz="UTC"): types.TimestampType(),
    }
    return known[kind]


def to_arrow(kind: Any) -> Any:
    """The Arrow type in which Spark gives a column; of those that rows cannot be read from, roughly."""
    import pyarrow
    from pyspark.sql import types

    if isinstance(kind, types.StructType):
        return pyarrow.struct([(field.name, to_arrow(field.dataType)) for field in kind.fields])
    known = {
        "string": pyarrow.string(),
        "binary": pyarrow.binary(),
        "boolean": pyarrow.bool_(),
        "tinyint": pyarrow.int8(),
        "smallint": pyarrow.int16(),
        "int": pyarrow.int32(),
        "bigint": pyarrow.int64(),
        "float": pyarrow.float32(),
        "double": pyarrow.float64(),
        "date": pyarrow.date32(),
        "timestamp": pyarrow.timestamp("us", tz="UTC"),
        "timestamp_ntz": pyarrow.timestamp("us"),
    }
    name = kind.simpleString()
    if name.startswith(("char", "varchar", "string")):
        return pyarrow.string()
    return known.get(name, pyarrow.list_(pyarrow.null()))
