"""`ludus doctor`: which guarantees hold on this machine, by trying them with canary bots."""

from __future__ import annotations

import argparse
import json
import sys

from ludus.sandbox.doctor import Report, Trial, examine


def doctor(arguments: argparse.Namespace) -> int:
    report = examine()
    if arguments.json:
        sys.stdout.write(json.dumps(_data(report)) + "\n")
    else:
        sys.stdout.write("\n".join(_rows(report)) + "\n")
    return 0 if report.is_sound else 1


def _data(report: Report) -> dict[str, object]:
    return {
        "level": report.level,
        "sound": report.is_sound,
        "why_not_full": report.why_not_full,
        "features": [feature._asdict() for feature in report.features],
        "trials": [{**trial._asdict(), "holds": trial.holds} for trial in report.trials],
        "not_guaranteed": list(report.not_guaranteed),
    }


def _rows(report: Report) -> list[str]:
    rows = ["This machine"]
    for feature in report.features:
        note = f"  {feature.note}" if feature.note and not feature.is_good else ""
        rows.append(f"  {feature.name:<30} {feature.value}{note}")
    for level in dict.fromkeys(trial.level for trial in report.trials):
        rows += ["", f"Isolation {level}"]
        rows += [_tried(trial) for trial in report.trials if trial.level == level]
    if report.not_guaranteed:
        rows += ["", f"Not guaranteed at level {report.level}", *(f"  {what}" for what in report.not_guaranteed)]
    rows += ["", _conclusion(report)]
    return rows


def _tried(trial: Trial) -> str:
    found = trial.found if trial.holds else f"{trial.found}, and {trial.expected} was expected: {trial.reason[:80]}"
    return f"  {'ok  ' if trial.holds else 'FAIL'} {trial.guarantee:<52} {1000 * trial.took_s:5.0f} ms  {found}"


def _conclusion(report: Report) -> str:
    if not report.is_sound:
        return f"Not every guarantee of level {report.level} holds here: do not play rated games on this machine."
    if report.level == "full":
        return "Level full: rated games can be played here."
    return f"Level basic only ({report.why_not_full}): play bots that you trust, with --isolation basic."
