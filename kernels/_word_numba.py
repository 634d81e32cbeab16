"""Teaches numba the 32-bit word of ``word.py``, through numba's documented extension interface.

Every operation becomes the one LLVM instruction that its name says, so that LLVM can turn a
loop over hands into vector instructions.
"""
# mypy: disable-error-code="no-untyped-call,no-untyped-def,misc"

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.typeconv import Conversion
from numba.extending import (
    lower_builtin,
    lower_cast,
    models,
    register_model,
    type_callable,
)

from . import real as reals
from . import word as words


class WordType(types.Type):
    """An unsigned 32-bit integer that stays 32 bits wide."""

    def __init__(self) -> None:
        super().__init__(name="Word")

    def can_convert_to(self, _context: Any, other: Any) -> Any:
        # To be stored in arrays.  Any wider integer would invite numba's own arithmetic.
        return Conversion.unsafe if other == types.uint32 else None

    def can_convert_from(self, _context: Any, other: Any) -> Any:
        return Conversion.unsafe if isinstance(other, types.Integer) else None

    def unify(self, _context: Any, other: Any) -> Any:
        return self if isinstance(other, types.Integer) else None


WORD = WordType()
I32, I64 = ir.IntType(32), ir.IntType(64)


@register_model(WordType)
class WordModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, I32)


def _is_wordlike(kind: Any) -> bool:
    return isinstance(kind, (WordType, types.Integer, types.Boolean))


def _narrow(builder: Any, value: Any) -> Any:
    """Any LLVM integer as 32 bits."""
    if value.type.width > 32:
        return builder.trunc(value, I32)
    return builder.zext(value, I32) if value.type.width < 32 else value


@lower_cast(WordType, types.Integer)
def _word_to_integer(_context, builder, _from, to, value):
    if to.bitwidth > 32:
        return builder.zext(value, ir.IntType(to.bitwidth))
    return builder.trunc(value, ir.IntType(to.bitwidth)) if to.bitwidth < 32 else value


@lower_cast(types.Integer, WordType)
def _integer_to_word(_context, builder, _from, _to, value):
    return _narrow(builder, value)


def _binary(function: Any, result: Any, emit: Any) -> None:
    """Type and lower `function` for word × word, word × integer and integer × word."""

    @type_callable(function)
    def typing(_context):
        def typer(left, right):
            if WORD in (left, right) and _is_wordlike(left) and _is_wordlike(right):
                return result
            return None

        return typer

    def lower(_context, builder, _sig, args):
        return emit(builder, *(_narrow(builder, value) for value in args))

    for left, right in (
        (WordType, WordType),
        (WordType, types.Integer),
        (types.Integer, WordType),
        (WordType, types.Boolean),
        (types.Boolean, WordType),
    ):
        lower_builtin(function, left, right)(lower)


def _unary(function: Any, result: Any, emit: Any, takes: tuple[Any, ...] = (WordType,)) -> None:
    @type_callable(function)
    def typing(_context):
        def typer(value):
            return result if isinstance(value, takes) else None

        return typer

    def lower(_context, builder, _sig, args):
        return emit(builder, args[0])

    for kind in takes:
        lower_builtin(function, kind)(lower)


ARITHMETIC = {
    "and_": "and_",
    "or_": "or_",
    "xor": "xor",
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "lshift": "shl",
    "rshift": "lshr",
}
for _name, _instruction in ARITHMETIC.items():

    def _emit(builder: Any, left: Any, right: Any, instruction: str = _instruction) -> Any:
        return getattr(builder, instruction)(left, right)

    _binary(getattr(operator, _name), WORD, _emit)
    _binary(getattr(operator, "i" + _name.rstrip("_")), WORD, _emit)

for _name, _symbol in {
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
}.items():  # fmt: skip

    def _compare(builder: Any, left: Any, right: Any, symbol: str = _symbol) -> Any:
        return builder.icmp_unsigned(symbol, left, right)

    _binary(getattr(operator, _name), types.boolean, _compare)


def _share(builder: Any, value: Any, parts: Any) -> Any:
    product = builder.mul(builder.zext(value, I64), builder.zext(parts, I64))
    return builder.trunc(builder.lshr(product, ir.Constant(I64, 32)), I32)


def _highest(builder: Any, value: Any) -> Any:
    zeros = builder.ctlz(value, ir.Constant(ir.IntType(1), 0))
    bit = builder.lshr(ir.Constant(I32, 1 << 31), zeros)
    return builder.select(_is_nonzero(builder, value), bit, ir.Constant(I32, 0))


def _is_nonzero(builder: Any, value: Any) -> Any:
    return builder.icmp_unsigned("!=", value, ir.Constant(value.type, 0))


_binary(words.share, WORD, _share)
_unary(words.word, WORD, _narrow, (WordType, types.Integer, types.Boolean))
_unary(words.integer, types.int64, lambda builder, value: builder.zext(value, I64))
_unary(words.count, WORD, lambda builder, value: builder.ctpop(value))
_unary(words.highest, WORD, _highest)
_unary(words.position, WORD, lambda builder, value: builder.cttz(value, ir.Constant(ir.IntType(1), 0)))
_unary(reals.real, types.float32, lambda builder, value: builder.sitofp(value, ir.FloatType()))
_unary(words.lowest, WORD, lambda builder, value: builder.and_(value, builder.neg(value)))
_unary(operator.invert, WORD, lambda builder, value: builder.not_(value))
_unary(bool, types.boolean, _is_nonzero)
