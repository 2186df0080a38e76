#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: schema.py SCHEMA COUNT
#
# Checks that the events of loaded modules, at least COUNT, have the formats that the schema says.

import json
import os
import re
import sys

FIELD = re.compile(r"\tfield:(.*);\toffset:(\d+);\tsize:(\d+);\tsigned:(\d+);")


def fields(text):
    """Returns the fields in a format file, but the common ones."""
    return [m.groups() for m in FIELD.finditer(text) if " common_" not in m[1]]


def declaration(field):
    c_type, name = field["c_type"], field["name"]
    # As f_show() (kernel/trace/trace_events.c) does it.
    if c_type.startswith("__data_loc") or "[" not in c_type:
        return f"{c_type} {name}"
    return c_type.replace("[", f" {name}[")


checked = wrong = 0
for event in json.load(open(sys.argv[1]))["events"]:
    path = f"/sys/kernel/tracing/events/{event['system']}/{event['name']}/format"
    if not os.path.exists(path):
        continue
    checked += 1
    text = open(path).read()
    expected = [(declaration(f), str(f["offset"]), str(f["size"]), str(int(f["signed"])))
                for f in event["fields"]]
    shown = re.search(r"^print fmt: (.*)", text, re.M | re.S)[1].rstrip("\n")
    for what, kernel, schema in (("fields", fields(text), expected),
                                 ("print fmt", shown, event["print"]["format"])):
        if kernel != schema:
            wrong += 1
            print(f"{event['system']}:{event['name']}: {what}:\n  kernel: {kernel}\n  schema: {schema}")
print(f"{checked} events")
sys.exit(wrong > 0 or checked < int(sys.argv[2]))
