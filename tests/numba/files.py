#!/usr/bin/env python3
"""files.py BIN FOLDER...: the programs of these folders that use numba.cuda, by verdict.

A line for each program that stays one for numba.cuda, with the names that are in the way; then how many are ported by renaming, how many
with functions written into them, and how many are not.
"""
import collections, json, subprocess, sys

RULE = "CASS690"


def verdict(findings):
    """What becomes of a program, and the names in its way."""
    named = sorted({it["message"].split("`")[1] for it in findings if it["severity"] == "error"})
    if named:
        return "not ported", named
    has_helpers = any("written into the file" in it["message"] for it in findings)
    return ("ported with functions" if has_helpers else "ported by renaming"), []


def main(binary, *folders):
    counts = collections.Counter()
    for folder in folders:
        done = subprocess.run([binary, "check", "--format", "json", folder], capture_output=True, text=True)
        for file in json.loads(done.stdout)["files"]:
            findings = [it for it in file.get("findings", []) if it["code"] == RULE]
            if findings:
                what, names = verdict(findings)
                counts[what] += 1
                if names:
                    print(f"{file['path']}: {', '.join(names)}")
    total = sum(counts.values())
    for what, count in counts.most_common():
        print(f"{what}: {count} of {total}, {100 * count / total:.0f} %")


if __name__ == "__main__":
    main(*sys.argv[1:])
