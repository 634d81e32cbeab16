"""Teaches numba to call a compiled function by its address, see ``foreign.py``."""
# mypy: disable-error-code="no-untyped-call,no-untyped-def,misc"

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

from . import foreign

I64 = ir.IntType(64)


@intrinsic
def _call(_typing: Any, address: Any, data: Any) -> Any:
    def emit(_context, builder, _signature, args):
        function = ir.FunctionType(I64, [I64])
        pointer = builder.inttoptr(args[0], function.as_pointer())
        return builder.call(pointer, [args[1]])

    return types.int64(types.int64, types.int64), emit


@overload(foreign.call_policy)
def _call_policy(address, view):
    def call(address, view):
        return _call(types.int64(address), types.int64(view.ctypes.data))

    return call
