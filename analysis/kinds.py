"""What can be saved: for each kind its name in a file, and where its class stands now.

A name never changes, and files that bear it are read as long as it stands here; a class may move.
Kinds of Tien Gow have plain names, those of another game begin with its name and a dot.  A class that
gains a field gives it a default, so that files without it are still read.
"""

from __future__ import annotations

_TIENGOW = {
    "adaptation": "adapt:Adaptation",
    "adapted-comparison": "adapt:AdaptedComparison",
    "advice": "advise:Advice",
    "compared": "comparison:Compared",
    "comparison": "comparison:Comparison",
    "gap": "tournament:Gap",
    "hand-worth": "starting:HandWorth",
    "lead-worth": "starting:LeadWorth",
    "look": "walls:Look",
    "odds": "odds:Odds",
    "policy": "policies:Policy",
    "position": "position:Position",
    "priced-play": "advise:PricedPlay",
    "rules": "rules:RuleSet",
    "run": "request:Run",
    "seat-worth": "starting:SeatWorth",
    "session": "session_result:SessionResult",
    "session-run": "session:SessionRun",
    "session-tally": "session:SessionTally",
    "standing": "tournament:Standing",
    "study": "studies:StudyResult",
    "study-claim": "studies:Claim",
    "study-row": "studies:Row",
    "tables": "tables:Tables",
    "tally": "simulate:Tally",
    "tournament": "tournament:Tournament",
    "walls": "walls:Walls",
}
KINDS = {
    "histogram": "histogram:Histogram",
    "mean": "estimates:Mean",
    "proportion": "estimates:Proportion",
    **{name: f"tiengow.{place}" for name, place in _TIENGOW.items()},
}
"""Name in a file: module and class."""

OLDER = {
    "estimates:Mean": "mean",
    "estimates:Proportion": "proportion",
    "histogram:Histogram": "histogram",
    "tiengow.adapt:Adaptation": "adaptation",
    "tiengow.adapt:AdaptedComparison": "adapted-comparison",
    "tiengow.advise:Advice": "advice",
    "tiengow.advise:PricedPlay": "priced-play",
    "tiengow.compare:Compared": "compared",
    "tiengow.compare:Comparison": "comparison",
    "tiengow.odds:Odds": "odds",
    "tiengow.policies:Policy": "policy",
    "tiengow.position:Position": "position",
    "tiengow.request:Run": "run",
    "tiengow.rules:RuleSet": "rules",
    "tiengow.session:SessionRun": "session-run",
    "tiengow.session:SessionTally": "session-tally",
    "tiengow.session_result:SessionResult": "session",
    "tiengow.simulate:Tally": "tally",
    "tiengow.starting:HandWorth": "hand-worth",
    "tiengow.starting:LeadWorth": "lead-worth",
    "tiengow.starting:SeatWorth": "seat-worth",
    "tiengow.studies:Row": "study-row",
    "tiengow.studies:StudyResult": "study",
    "tiengow.tables:Tables": "tables",
    "tiengow.tournament:Gap": "gap",
    "tiengow.tournament:Standing": "standing",
    "tiengow.tournament:Tournament": "tournament",
    "tiengow.walls:Look": "look",
    "tiengow.walls:Walls": "walls",
}
"""What older files have in place of a name: where the class stood then."""
