"""The studies by name."""

from __future__ import annotations

from ..phrases import phrase
from .studies import Study
from .study_discards import discards
from .study_honours import cash_four, civil_supreme, kam, supreme_now
from .study_play import low_finish, safe_tricks, spare, strength, whole_or_broken

STUDIES = {
    study.name: study
    for study in (
        Study(
            "kam", 6, phrase("擒 at ×4 or ×2: what does it change for the one who leads 1-2?"), kam,
            sets=phrase("kam is set to 1, 2 and 4 in turn"),
        ),
        Study(
            "cash-four", 7,
            phrase("Should I cash a four early for the bonus or keep it for 四大包?"), cash_four,
        ),
        Study("supreme-now", 8, phrase("Lead supreme now or keep it for 包尊?"), supreme_now),
        Study(
            "civil-supreme", 9,
            phrase("Lead 文尊 first as banker in its third term: how often is it caught by the 1-6 "
                   "pair?"),
            civil_supreme, term=3, preset="tiengow-zh",
        ),
        Study(
            "safe-tricks", 10, phrase("As banker: take the safe tricks early or play for 結?"),
            safe_tricks,
        ),
        Study(
            "spare", 11,
            phrase(
                "Is 'do not beat another non-banker in the first three tricks' right? What does it cost "
                "me?"
            ),
            spare,
        ),
        Study(
            "low-finish", 15, phrase("Is 幺結 worth trying, and how great is the risk of 擒?"),
            low_finish,
        ),
        Study("whole", 23, phrase("Lead pairs and threes whole, or break them?"), whole_or_broken),
        Study("discard", 24, phrase("What should I discard first?"), discards),
        Study(
            "strength", 30,
            phrase("How much better than a random player is a good one, and what makes it so?"),
            strength,
        ),
    )
}  # fmt: skip


def study_list() -> list[Study]:
    """All studies.

    Examples
    --------
    >>> [study.number for study in study_list()]
    [6, 7, 8, 9, 10, 11, 15, 23, 24, 30]
    """
    return list(STUDIES.values())
