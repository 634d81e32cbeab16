"""Tuning: the cross-entropy method over the weights of the heuristic family.

Candidates are drawn around a centre, all play the same deals in every seat against a pool of
opponents, and the centre moves to the mean of the best (Rubinstein, 1999).  Every tenth step the
centre is compared with where it stood ten steps before, on deals of its own; the search ends when
two such comparisons in a row show no gain.
"""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.keys import generator
from ...kernels.series import CANDIDATES, RUN_HANDS, TUNING, TUNING_CHECK, TUNING_RESULT
from ...kernels.tiengow.players import FAMILY
from ...kernels.tiengow.weights import WEIGHT_NAMES, WEIGHTS, WEIGHTS_AT_FIRST
from ..checks import SEED, THREADS, checked, instance, number, settle, text, texts, whole
from ..checks import path as path_like
from ..errors import InputError, no_such
from ..estimates import Mean
from ..files import clear_leftovers, replacing
from ..kernel_hash import kernel_hash
from ..runs import default_threads
from ..sealed import read_json, refuse, write_json
from .duplicate import Duplicates, against
from .extremes import mean_points
from .parts import GAME
from .policies import Policy, find_policy
from .presets import rules_words
from .request import RULES
from .rules import RuleSet

CHECK_EVERY = 10
_KEEP = 0.3  # of the centre and of the spread from one step to the next
_VERSION = 2  # to be raised whenever the same request searches otherwise
_STATE, _CURE = "state of a search", "delete it to start again"
_LARGEST_STATE = 1_000_000  # bytes
_OLDER_STATE = frozenset(("identity", "step", "idle", "centre", "spread", "before"))
SELF = "self"  # in a pool: the centre of the search itself


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """A request to tune a policy.

    Attributes
    ----------
    rules : RuleSet
    start : str
        The policy of the heuristic family to start from.
    pool : tuple of str
        Opponents; ``self`` is the centre of the search as it stands.
    steps : int
        At most so many steps.
    population, elite : int
        Candidates a step, and how many of the best move the centre.
    deals : int
        Deals a step; each candidate plays every deal from four seats against each opponent.
    spread : float
        Spread of the first candidates, in parts of each weight (and of half a point).
    check : int
        Deals of a comparison, and of the last measurement.
    frozen : tuple of str
        Weights that stay as they are.
    seed : int
    """

    rules: RuleSet
    start: str = "tuned"
    pool: tuple[str, ...] = ("greedy", "public-a", "tuned", SELF)
    steps: int = 60
    population: int = 48
    elite: int = 12
    deals: int = 400
    spread: float = 0.4
    check: int = 4000
    frozen: tuple[str, ...] = ()
    seed: int = 1

    def __post_init__(self) -> None:
        settle(
            self, rules=RULES, start=text, pool=texts, steps=whole(1, 10_000),
            population=whole(4, 1000), deals=whole(1, 10**6), check=whole(2, 10**7),
            spread=number(0, 10, "above 0 and at most 10"), frozen=texts, seed=SEED,
        )  # fmt: skip
        settle(self, elite=whole(2, self.population // 2))
        for name in self.frozen:
            if name not in WEIGHT_NAMES:
                raise InputError("--frozen " + no_such(name, "weight", WEIGHT_NAMES))
        if find_policy(self.start, self.rules).kind != FAMILY:
            raise InputError(f"--start {self.start}: is no policy of the heuristic family")
        if not self.pool:
            raise InputError("--pool: names no opponent")
        for name in self.pool:
            if name != SELF:
                find_policy(name, self.rules)

    def identity(self) -> dict[str, Any]:
        """What the result depends on."""
        names = [name for name in (self.start, *self.pool) if name != SELF]
        return {
            "version": _VERSION,
            "rules": self.rules.to_json(),
            "start": self.start,
            "pool": list(self.pool),
            "steps": self.steps,  # how wide a step searches depends on how many there will be
            "population": self.population,
            "elite": self.elite,
            "deals": self.deals,
            "spread": self.spread,
            "check": self.check,
            "frozen": list(self.frozen),
            "seed": self.seed,
            "digests": {name: find_policy(name, self.rules).digest() for name in names},
            "kernels": kernel_hash(GAME),
        }


class Step(NamedTuple):
    """How far a search is: step, mean points of the centre against the pool, and of the elite."""

    number: int
    centre: float
    elite: float
    spread: float


def points_against(
    player: Policy,
    others: Sequence[Policy],
    rules: RuleSet,
    *,
    series: int = RUN_HANDS,
    start: int = 0,
    deals: int,
    seed: int,
) -> NDArray[np.int64]:
    """Points of one seat against three of each other, deals × others.

    Each number is the sum over the four seats of one deal.
    """
    lineups = [row for number in range(len(others)) for row in against(0, number + 1)]
    points = Duplicates([player, *others], lineups, rules, seed=seed, series=series).points(start, deals)
    own = points[:, np.arange(len(lineups)), np.tile(np.arange(4), len(others))]
    return own.reshape(deals, len(others), 4).sum(axis=2)  # type: ignore[no-any-return]


@dataclass
class _Search:
    """A search in progress."""

    centre: NDArray[np.float64]
    spread: NDArray[np.float64]
    before: NDArray[np.float64]  # the centre at the last comparison
    step: int = 0
    idle: int = 0  # comparisons in a row without a gain

    def to_json(self, identity: dict[str, Any]) -> dict[str, Any]:
        arrays = {name: getattr(self, name).tolist() for name in ("centre", "spread", "before")}
        return {"identity": identity, "step": self.step, "idle": self.idle, **arrays}


@checked(request=instance(Tuning, "a Tuning"), path=path_like, threads=THREADS)
def tune(
    request: Tuning,
    path: str | os.PathLike[str],
    *,
    threads: int | None = None,
    progress: Callable[[Step], None] | None = None,
) -> Policy | None:
    """Search for better weights and write them to a policy file.

    Parameters
    ----------
    request : Tuning
    path : path
        The TOML file to write.  While the search goes on, its state stands beside it in a file
        that ends in ``.state``; the same request then goes on from there.
    threads : int, optional
        Threads; all processors by default.  The result does not depend on it.
    progress : callable, optional
        Called after each step.

    Returns
    -------
    Policy or None
        The policy found; None if Ctrl-C ended the search early.

    Raises
    ------
    InputError
        If the path holds the state of another request.

    Examples
    --------
    >>> import tempfile
    >>> request = Tuning(rules=RuleSet(), steps=1, population=4, elite=2, deals=2, check=4)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tune(request, f"{folder}/mine.toml").name.endswith("mine.toml")
    True
    """
    path = Path(path)
    if path.suffix != ".toml":
        raise InputError(f"--out {path}: must end in .toml")
    if not os.path.isdir(path.parent) or not os.access(path.parent, os.W_OK) or os.path.isdir(path):
        raise InputError(f"--out {path}: cannot be written there; name a file in a folder that exists")
    state = path.with_name(path.name + ".state")
    for name in (path.name, state.name):
        clear_leftovers(path.parent, glob.escape(name))
    search = _load(state, request)
    started = find_policy(request.start, request.rules)
    with ThreadPoolExecutor(threads or default_threads()) as pool:
        try:
            while search.step < request.steps and search.idle < 2:
                step = _advance(search, request, pool)
                _save(state, search, request)
                if progress is not None:
                    progress(step)
        except KeyboardInterrupt:
            return None
    found = Policy(str(path), FAMILY, started.beliefs, tuple(search.centre.round(4).tolist()))
    results = _measure(found, request)
    with replacing(path) as beside:
        beside.write_text(policy_toml(found, _training(request, search, results)), encoding="utf-8")
    state.unlink(missing_ok=True)
    return found


def _pool(request: Tuning, centre: NDArray[np.float64]) -> list[Policy]:
    itself = Policy(SELF, FAMILY, "", tuple(centre.tolist()))
    return [itself if name == SELF else find_policy(name, request.rules) for name in request.pool]


def _advance(search: _Search, request: Tuning, pool: ThreadPoolExecutor) -> Step:
    random = generator(request.seed, CANDIDATES, search.step)
    candidates = search.centre + search.spread * random.standard_normal((request.population, WEIGHTS))
    candidates[0] = search.centre
    others = _pool(request, search.centre)

    def rate(weights: NDArray[np.float64]) -> float:
        player = Policy("", FAMILY, "", tuple(weights.tolist()))
        start = search.step * request.deals
        points = points_against(
            player, others, request.rules, series=TUNING, start=start, deals=request.deals,
            seed=request.seed,
        )  # fmt: skip
        return float(points.mean()) / 4

    ratings = np.array(list(pool.map(rate, candidates)))
    best = candidates[np.argsort(-ratings, kind="stable")[: request.elite]]
    search.centre = _KEEP * search.centre + (1 - _KEEP) * best.mean(axis=0)
    spread = _KEEP * search.spread + (1 - _KEEP) * best.std(axis=0)
    # The elite of so many weights shrinks too fast: hold the spread up, less and less.
    floor = _first_spread(search.before, request) * 0.3 * (1 - search.step / request.steps)
    search.spread = np.maximum(spread, floor)
    search.step += 1
    if search.step % CHECK_EVERY == 0:
        gain = _gain(search, request)
        search.idle = 0 if gain.low > 0 else search.idle + 1
        search.before = search.centre
    elite = float(np.sort(ratings)[-request.elite :].mean())
    return Step(search.step, float(ratings[0]), elite, float(search.spread.mean()))


def _first_spread(centre: NDArray[np.float64], request: Tuning) -> NDArray[np.float64]:
    moves = np.array([name not in request.frozen for name in WEIGHT_NAMES])
    return request.spread * np.maximum(np.abs(centre), 0.5) * moves  # type: ignore[no-any-return]


def _gain(search: _Search, request: Tuning) -> Mean:
    """Points that the centre gained since the last comparison, on the same new deals."""
    others = [policy for policy in _pool(request, search.before) if policy.name != SELF]
    points = []
    for weights in (search.centre, search.before):
        player = Policy("", FAMILY, "", tuple(weights.tolist()))
        points.append(
            points_against(
                player, others or _pool(request, search.before), request.rules,
                series=TUNING_CHECK, start=search.step * request.check, deals=request.check,
                seed=request.seed,
            ).sum(axis=1)
        )  # fmt: skip
    hands = 4 * len(others or request.pool)
    return mean_points(points[0] - points[1], hands, request.rules, apart=True)


def _measure(found: Policy, request: Tuning) -> dict[str, Mean]:
    """Points against each opponent, and against where the search began, on deals never used."""
    others = {name: find_policy(name, request.rules) for name in request.pool if name != SELF}
    others["start"] = find_policy(request.start, request.rules)
    points = points_against(
        found, list(others.values()), request.rules,
        series=TUNING_RESULT, deals=request.check, seed=request.seed,
    )  # fmt: skip
    return {name: mean_points(points[:, n], 4, request.rules) for n, name in enumerate(others)}


def _training(request: Tuning, search: _Search, results: dict[str, Mean]) -> dict[str, Any]:
    return {
        "rules": " ".join(rules_words(request.rules)),
        "start": request.start,
        "pool": list(request.pool),
        "steps": search.step,
        "population": request.population,
        "elite": request.elite,
        "deals": request.deals,
        "seed": request.seed,
        "measured_on_deals": request.check,
        "points": {
            f"against three {name}": [
                round(number, 3) for number in (mean.mean, mean.low, mean.high) if number == number
            ]
            for name, mean in results.items()
        },
    }


@checked(policy=instance(Policy, "a Policy, such as find_policy gives"))
def policy_toml(policy: Policy, training: dict[str, Any] | None = None) -> str:
    """A policy of the family as a TOML file.

    Examples
    --------
    >>> from gupai.analysis import find_policy
    >>> policy_toml(find_policy("tuned")).splitlines()[1]
    '[weights]'
    """
    lines = [f"beliefs = {json.dumps(policy.beliefs, ensure_ascii=False)}", "[weights]"]
    lines += [f"{name} = {value}" for name, value in zip(WEIGHT_NAMES, policy.weights, strict=True)]
    if training:
        lines.append("[training]")
        inner = {key: value for key, value in training.items() if isinstance(value, dict)}
        lines += [f"{key} = {json.dumps(value)}" for key, value in training.items() if key not in inner]
        for key, value in inner.items():
            lines.append(f"[training.{key}]")
            lines += [f"{json.dumps(name)} = {json.dumps(row)}" for name, row in value.items()]
    return "\n".join(lines) + "\n"


def _save(path: Path, search: _Search, request: Tuning) -> None:
    write_json(path, _STATE, search.to_json(request.identity()))


def _load(path: Path, request: Tuning) -> _Search:
    if not os.path.lexists(path):
        centre = find_policy(request.start, request.rules).row()
        return _Search(centre, _first_spread(centre, request), centre)
    data = read_json(path, _STATE, cure=_CURE, largest=_LARGEST_STATE, older=_OLDER_STATE)
    try:
        arrays = [np.array(data[name], float) for name in ("centre", "spread", "before")]
        if all(array.shape == (WEIGHTS_AT_FIRST,) for array in arrays):  # those that came later are 0
            arrays = [np.pad(array, (0, WEIGHTS - WEIGHTS_AT_FIRST)) for array in arrays]
        if any(array.shape != (WEIGHTS,) or not np.isfinite(array).all() for array in arrays):
            raise ValueError("weights are missing or are no numbers")
        step, idle, identity = data["step"], data["idle"], data["identity"]
        if type(step) is not int or not step >= 0 or type(idle) is not int or not 0 <= idle <= 2:
            raise ValueError("it does not say which step it stands at")
    except (ValueError, KeyError, TypeError) as error:
        refuse(path, str(error), _CURE)
    if isinstance(identity, dict) and identity.get("version") != _VERSION:
        raise InputError(
            f"{path}: was begun by an earlier gupai, which dealt otherwise; delete it to start again"
        )
    if identity != request.identity() or step > request.steps:
        raise InputError(f"{path}: is the state of another search; delete it or choose another --out")
    return _Search(arrays[0], arrays[1], arrays[2], step, idle)
