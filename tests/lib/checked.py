# SPDX-License-Identifier: MIT
"""checked.py TABLE RECORDING LENS THING…: `skein check` and `skein report --csv` have the same figures.

THING is routine=NAME, site=CALLER->CALLEE or object=NAME: of what the figures are that are not of the whole run. Prints a line
`ok …` or `not ok …` for each figure that `skein check --list LENS` has. A figure that is not sampled must be equal to the number of the
CSV, to its last digit: the claim `== NUMBER` holds, and `!= NUMBER` fails. A sampled one is shown as that number, rounded."""
import csv
import io
import re
import subprocess
import sys

table, recording, lens = sys.argv[1:4]
things = dict(thing.split("=", 1) for thing in sys.argv[4:])
TIMES = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
views = {}


def run(*words):
    return subprocess.run(["skein", *words], capture_output=True, text=True)


def rows_of(view):
    if view not in views:
        views[view] = list(csv.DictReader(io.StringIO(run("report", lens, recording, "--view", view, "--csv").stdout)))
    return views[view]


def summary(name):
    return {row["name"]: row["value"] for row in rows_of("summary")}[name]


def wanted(row, about, view, kinds):
    thing = things.get(about, "")
    caller, _, callee = thing.partition("->")
    if view == "sites" and [row["profile"], row["measure"]] != kinds:
        return False
    if about == "site":
        return row["caller"] == caller and row["callee"] == callee
    if about == "object":
        return row["object"] == thing
    if view == "sites":
        return row["callee"] == thing
    name = row.get("routine", row.get("function"))
    totals = [row[column] for column in ("worker", "thread", "entry") if column in row and view != "waits"]
    return name == thing and all(value == "all" for value in totals) and row.get("kind", "routine") in ("routine",) or (
        view == "waits" and name == thing)


def values_of(about, view, column, how):
    """The numbers of the CSV: one a row, or one in all if rows are added up."""
    view, *kinds = view.split("/")
    found = [dict((row["name"], row["value"]) for row in rows_of("summary"))] if about == "run" else [
        row for row in rows_of(view) if wanted(row, about, view, kinds)]
    terms = dict(term.split("=") for term in how.split(",")) if how != "-" else {}
    numbers = []
    for row in found:
        if row.get(column, "") == "":
            return []
        number = float(row[column]) - float(row[terms["less"]] if "less" in terms else 0)
        whole = row[terms["of"]] if "of" in terms else summary(terms["run"]) if "run" in terms else None
        numbers.append(number if whole is None else 100 * number / float(whole))
    adds_up = view in ("arcs", "waits") or (view == "sites" and about == "routine")
    return [sum(numbers)] if adds_up and numbers else numbers


def shown(text):
    """The number of "24.6 ms" or "9.9 %"."""
    match = re.match(r"(<?)([0-9,.]+) ?(ns|us|ms|s|%)?", text)
    return float(match.group(2).replace(",", "")) * TIMES.get(match.group(3), 1)


def left_of(about, figure):
    thing = things.get(about)
    if about == "run":
        return figure
    return f"{figure}({thing})" if about == "object" else f"{thing.replace('->', ' -> ')} {figure}"


def claim(about, figure, op, number, unit):
    digits = f"{number:.4f}" if number != int(number) or unit == "%" else f"{number:.0f}"
    written = digits + (" ns" if unit == "time" else " %" if unit == "%" else "")
    return run("check", f"{lens}: {left_of(about, figure)} {op} {written}", recording)


def judge(about, figure, unit, kind, view, column, how):
    numbers = values_of(about, view, column, how)
    if about != "run" and about not in things:
        return f"no {about} is named"
    if not numbers:
        done = claim(about, figure, "==", 0, unit)
        return "" if done.returncode == 3 and "cannot be checked" in done.stdout else f"not recorded, but: {done.stdout}{done.stderr}"
    if len(set(numbers)) > 1:
        return f"{left_of(about, figure)} is not one thing: {numbers}"
    number = numbers[0]
    same, other = claim(about, figure, "==", number, unit), claim(about, figure, "!=", number, unit)
    if kind == "sampled":
        text = same.stdout.split(": ")[2 if same.stdout.startswith(("holds", "fails", "unknown")) else 1]
        return "" if abs(shown(text) - number) <= 0.006 * number + 0.006 else f"{number} is not {same.stdout}{same.stderr}"
    if same.returncode == 0 and other.returncode == 1:
        return ""
    return f"{number}: {same.stdout}{same.stderr}{other.stdout}{other.stderr}"


rows = {}
for line in open(table, encoding="utf-8"):
    if not line.startswith("#"):
        cells = line.rstrip("\n").split("\t")
        rows[tuple(cells[:3])] = cells[3:]
listed = 0
for line in run("check", "--list", lens).stdout.splitlines()[1:]:
    cells = re.split(r" {2,}", line.strip())
    about = {"whole run": "run", "caller -> callee": "site"}.get(cells[1], cells[1])
    name = f"{recording}: {lens}: {about} {cells[2]}"
    wrong = judge(about, cells[2], cells[3], cells[4], *rows.pop((lens, about, cells[2]))) if (lens, about, cells[2]) in rows else "not in the table"
    print(f"not ok {name}: {' '.join(wrong.split())}" if wrong else f"ok {name}")
    listed += 1
left = [key for key in rows if key[0] == lens]
print("not ok the table has more:" if left or not listed else "ok", f"{lens}: {listed} figures", *left)
