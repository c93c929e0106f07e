#!/usr/bin/env python3
"""Prints the steps of a page of Documentation as a shell script, word for word.

A line that begins with "$" is a command. A block after a line that ends with a path and a colon is the content of that file.
$1: the page; $2: the heading whose steps are taken; the others: words that a command must not contain to be a step.
"""

import re
import shlex
import sys

page, heading, *left_out = sys.argv[1:]
text = open(page, encoding="utf-8").read()
section = next(part for part in re.split(r"^(?=## )", text, flags=re.M) if part.splitlines()[0] == "## " + heading)
steps = 0
for before, block in re.findall(r"(?:^|\n)([^\n]+)\n\n((?:    [^\n]*\n|\n(?=    ))+)", section):
    lines = [line[4:] for line in block.splitlines()]
    path = re.search(r"`(/[^`]+)`:$", before)
    if path:
        content = "\n".join(lines) + "\n"
        print(f"echo '# the content of {path[1]}'\nprintf %s {shlex.quote(content)} >{shlex.quote(path[1])}")
        steps += 1
    for line in lines:
        if line.startswith("$ ") and not any(word in line for word in left_out):
            print(f"echo {shlex.quote(line)}\n{line[2:]}")
            steps += 1
if not steps:
    sys.exit(f'"{heading}" has no steps')
