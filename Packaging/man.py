#!/usr/bin/env python3
"""Writes man pages of a command and its subcommands, from the description that Swift's argument parser gives.

    man.py PHOTOSTREAM FOLDER VERSION DATE
"""

import json
import pathlib
import subprocess
import sys


def escaped(text):
    lines = text.replace("\\", "\\e").replace("-", "\\-").split("\n")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def paragraphs(text):
    """A text with its paragraphs; lines that begin with blanks, and those of examples, stay as they are."""
    out, literal = [], False
    for line in text.split("\n"):
        wants = line.startswith("  ")
        if wants != literal:
            out.append(".nf" if wants else ".fi")
            literal = wants
        out.append(escaped(line) if line else ".PP" if not literal else "")
    return "\n".join(out + ([".fi"] if literal else []))


def name(each):
    return {"long": "--", "short": "-", "longWithSingleDash": "-"}[each["kind"]] + each["name"]


def option(argument):
    value = argument.get("valueName") or "value"
    if argument["kind"] == "positional":
        names = f"\\fI{escaped(value)}\\fR"
    else:
        names = ", ".join(f"\\fB{escaped(name(each))}\\fR" for each in argument["names"])
        if argument["kind"] == "option":
            names += f" \\fI{escaped(value)}\\fR"
    help_text = " ".join(filter(None, (argument.get("abstract"), argument.get("discussion"))))
    if argument.get("defaultValue"):
        help_text += f" (default: {argument['defaultValue']})"
    return f".TP\n{names}\n{escaped(help_text) or '.PP'}"


def page(command, path, version, date):
    title = "-".join(path)
    arguments = [each for each in command.get("arguments", []) if each.get("shouldDisplay", True)]
    subcommands = [each for each in command.get("subcommands", []) if each["commandName"] != "help"]
    out = [
        f'.TH "{title.upper()}" "1" "{date}" "PhotoStream {version}" "User Commands"', ".SH NAME",
        f"{escaped(title)} \\- {escaped(command.get('abstract', '').rstrip('.'))}", ".SH SYNOPSIS",
        f"\\fB{escaped(' '.join(path))}\\fR"
        + (" \\fIsubcommand\\fR" if subcommands else "")
        + (" [\\fIoptions\\fR]" if arguments else ""),
    ]
    if command.get("discussion"):
        out += [".SH DESCRIPTION", paragraphs(command["discussion"])]
    if arguments:
        out += [".SH OPTIONS", *(option(each) for each in arguments)]
    if subcommands:
        out.append(".SH SUBCOMMANDS")
        for each in subcommands:
            out.append(f".TP\n\\fB{escaped('-'.join(path + [each['commandName']]))}\\fR(1)\n{escaped(each.get('abstract', ''))}")
    return "\n".join(out) + "\n"


def write(command, path, folder, version, date):
    path = path + [command["commandName"]]
    (folder / ("-".join(path) + ".1")).write_text(page(command, path, version, date))
    for each in command.get("subcommands", []):
        if each["commandName"] != "help":
            write(each, path, folder, version, date)


if __name__ == "__main__":
    program, folder, version, date = sys.argv[1:]
    described = json.loads(subprocess.run([program, "--experimental-dump-help"], capture_output=True, check=True).stdout)
    write(described["command"], [], pathlib.Path(folder), version, date)
