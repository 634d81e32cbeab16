"""The judge itself."""

import pytest

import ledger


def test_judge__passes_what_holds_and_fails_what_does_not(monkeypatch):
    monkeypatch.setattr(ledger.Cell, "cells", [])
    ledger.judge("share", "as promised", 950, 1000, least=0.95)
    with pytest.raises(AssertionError, match="covered"):
        ledger.judge("share", "too few", 880, 1000, least=0.94)
    assert "88.0%" in ledger.table()[2]
