# SPDX-License-Identifier: MIT
"""trace_events.py FILE.json FILE.csv: an export of a run in the Trace Event Format against the same run's `--view waits --csv`.

Prints a line for each thing that is wrong, and at last `checked` with how many slices, waits, arrows and locks it saw."""
import collections
import csv
import decimal
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    trace = json.load(file, parse_float=decimal.Decimal)
events = trace["traceEvents"]
of = collections.defaultdict(list)
for event in events:
    of[event["ph"]].append(event)


def track(event):
    return event["pid"], event["tid"]


def wrong(*words):
    print("wrong:", *words)


named = {track(e) for e in of["M"] if e["name"] == "thread_name"}
processes = {e["pid"] for e in of["M"] if e["name"] == "process_name"}
for event in events:
    if event["pid"] not in processes:
        wrong("a process without a name", event)
    if event["ph"] in "Xsfbe" and track(event) not in named:
        wrong("a thread without a name", event)
    if event["ph"] != "M" and not event["ts"] >= 0:
        wrong("a time", event)

# The slices of a thread follow each other: none begins before the one before it has ended, in floating point neither.
slices = collections.defaultdict(list)
for event in of["X"]:
    slices[track(event)].append(event)
for row in slices.values():
    row.sort(key=lambda e: e["ts"])
    for before, after in zip(row, row[1:]):
        if not float(before["ts"]) + float(before["dur"]) <= float(after["ts"]):
            wrong("slices overlap", before, after)

# An arrow begins in a slice of its thread, where the other thread was at work, and ends where a slice begins.
ends = {e["id"]: e for e in of["f"]}
for arrow in of["s"]:
    end = ends.pop(arrow["id"], None)
    if not end or end["ts"] < arrow["ts"] or end["bp"] != "e":
        wrong("an arrow without an end", arrow, end)
        continue
    if not any(e["ts"] == end["ts"] for e in slices[track(end)]):
        wrong("an arrow ends in no slice", end)
    if not any(e["ts"] <= arrow["ts"] < e["ts"] + e["dur"] + decimal.Decimal("0.001") for e in slices[track(arrow)]):
        wrong("an arrow begins in no slice", arrow)
for end in ends.values():
    wrong("an arrow without a beginning", end)

# Locks: what begins ends, and one is not held twice at once.
open_holds, holds = {}, collections.defaultdict(list)
for event in of["b"] + of["e"]:
    if event["ph"] == "b":
        open_holds[event["id"]] = event
        continue
    begin = open_holds.pop(event["id"], None)
    if not begin or begin["name"] != event["name"] or begin["ts"] > event["ts"] or track(begin) != track(event):
        wrong("a lock that is released and was not taken", event)
    else:
        holds[event["name"]].append((begin["ts"], event["ts"]))
for begin in open_holds.values():
    wrong("a lock that is taken and not released", begin)

# The number of threads at work is that of the slices.
changes = collections.Counter()
for event in of["X"]:
    if event["cat"] == "state":
        changes[event["ts"]] += 1
        changes[event["ts"] + event["dur"] + decimal.Decimal("0.001")] -= 1
most = level = 0
for time in sorted(changes):
    level += changes[time]
    most = max(most, level)
counted = max(e["args"]["threads"] for e in of["C"])
if counted < most:
    wrong("threads at work:", counted, "counted,", most, "seen")

# The waits are those of the report: as many of each kind and object, and as long.
sums = collections.defaultdict(lambda: [0, 0])
for event in of["X"]:
    if event["cat"] == "wait":
        sums[event["name"]][0] += 1
        sums[event["name"]][1] += int(event["dur"] * 1000) + 1
count = 0
with open(sys.argv[2], encoding="utf-8", newline="") as file:
    told = collections.defaultdict(lambda: [0, 0])
    for row in csv.DictReader(file):
        name = f"wait: {row['object']} ({row['kind']})" if row["object"] else f"wait: {row['kind']}"
        told[name][0] += int(row["count"])
        told[name][1] += int(row["waited_ns"])
        count += int(row["count"])
for name in sorted(set(sums) | set(told)):
    here, there = sums[name], told[name]
    if here[0] > there[0] or here[0] < there[0] * 0.99 or abs(here[1] - there[1]) > 3 * there[0] + 1000:
        wrong(name, "has", here, "and the report", there)
print("checked slices", len(of["X"]), "waits", count, "arrows", len(of["s"]), "locks", len(of["b"]))
