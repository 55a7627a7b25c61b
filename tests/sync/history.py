#!/usr/bin/env python3
"""Ports a project as it was a year before its last commit, changes the port by hand, and walks the history commit by commit.

    history.py REPOSITORY [--binary PATH] [--days 365] [--edits 20] [--seed 1] [--most N]

REPOSITORY is a checkout or a bare repository. Prints how many edits are lost, how many conflicts there are beside those of git's own
merge of the same changes, and how many bytes of the port differ from a fresh port with the same edits. Exit code 1 if edits or bytes
differ, or conflicts are more. A person would resolve a conflict once: the lines of the port are taken, and both sides go on from that
text. Where git draws the borders of a conflict at other lines, the two resolutions differ, which is a figure of its own.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

SOURCES = (".cu", ".cuh", ".h", ".hpp", ".c", ".cpp", ".cc", ".inl", "Makefile", "CMakeLists.txt")
# Git writes conflicts with at most so many lines between them as one.
NEAR = 3
MARKERS = re.compile(rb"<<<<<<< by hand\r?\n(.*?)=======\r?\n.*?>>>>>>> new translation\r?\n", re.S)


def run(*command, check=True):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if check and done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.decode(errors='replace')}")
    return done


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def tree(folder):
    """Every file of a port but its memory and its report."""
    found = {}
    for here, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != ".cass"]
        for name in files:
            path = os.path.join(here, name)
            key = os.path.relpath(path, folder)
            if key != "cass-report.json" and not os.path.islink(path):
                found[key] = read(path)
    return found


class Walk:
    def __init__(self, arguments):
        self.binary = os.path.abspath(arguments.binary)
        self.random = random.Random(arguments.seed)
        self.repository = os.path.abspath(arguments.repository)
        self.folder = tempfile.mkdtemp(prefix="cass-history-")
        self.source = os.path.join(self.folder, "src")
        self.out = os.path.join(self.folder, "out")
        self.figures = {"lost": 0, "ours": 0, "git": 0, "more": 0, "fewer": 0, "bytes": 0, "merged": 0, "borders": 0}
        self.tokens = {}
        self.base, self.expected = {}, {}

    def git(self, *arguments, check=True):
        return run("git", "-C", self.repository, *arguments, check=check).stdout.decode(errors="replace")

    def commits(self, days, most):
        last = int(self.git("log", "-1", "--format=%ct", "HEAD"))
        since = f"--since={last - days * 86400}"
        commits = self.git("rev-list", "--first-parent", "--reverse", since, "HEAD").split()
        return commits if most is None else commits[:most]

    def check_out(self, commit):
        if not os.path.exists(self.source):
            self.git("worktree", "add", "--quiet", "--detach", "--force", self.source, commit)
        run("git", "-C", self.source, "checkout", "--quiet", "--force", "--detach", commit)
        run("git", "-C", self.source, "clean", "-qfdx")

    def port(self, folder):
        done = run(self.binary, self.source, folder, "--quiet", "--prune", "--isolated", check=False)
        if done.returncode > 1:
            sys.exit(f"the run failed: {done.stderr.decode(errors='replace')}")

    def fresh(self):
        folder = os.path.join(self.folder, "fresh")
        shutil.rmtree(folder, ignore_errors=True)
        self.port(folder)
        return tree(folder)

    def edit(self, fresh, touched, count):
        """Changes lines of files that the history is going to change, or adds lines to them."""
        files = [key for key in sorted(fresh) if key.endswith(SOURCES) and key in touched and b"\0" not in fresh[key]]
        files = [key for key in files if len(fresh[key].splitlines()) > 10]
        if not files:
            sys.exit("no file of the oldest state changes later")
        for number in range(count):
            key = self.random.choice(files)
            lines = self.expected.get(key, fresh[key]).splitlines(keepends=True)
            at = self.random.randrange(len(lines))
            token = f"by_hand_{number:02}_{self.random.randrange(1 << 30):08x}".encode()
            end = b"\n"
            if self.random.random() < 0.5:
                lines.insert(at, b"// " + token + end)
            else:
                lines[at] = lines[at].rstrip(b"\r\n") + b" /* " + token + b" */" + end
            self.expected[key] = b"".join(lines)
            self.base[key] = fresh[key]
            self.tokens[token] = key
            write(os.path.join(self.out, key), self.expected[key])

    def merge(self, ours, base, theirs):
        """Git's merge: the text with our side of conflicts, and how many there are."""
        paths = []
        for name, content in (("ours", ours), ("base", base), ("theirs", theirs)):
            paths.append(os.path.join(self.folder, name))
            write(paths[-1], content)
        conflicts = run("git", "merge-file", "-p", "-q", *paths, check=False).returncode
        return run("git", "merge-file", "-p", "-q", "--ours", *paths, check=False).stdout, conflicts

    def step(self, before, commit):
        renames = {}
        for line in self.git("diff", "-M", "--diff-filter=R", "--name-status", before, commit).splitlines():
            _, old, new = line.split("\t")
            renames[old] = new
        self.check_out(commit)
        fresh = self.fresh()
        self.port(self.out)
        for old in [key for key in self.expected if key in renames and key not in fresh]:
            new = renames[old]
            self.expected[new], self.base[new] = self.expected.pop(old), self.base.pop(old)
        now = tree(self.out)
        for key in self.expected:
            self.compare(key, fresh.get(key), now)
        wanted = {**fresh, **self.expected}
        for key in set(wanted) | set(now):
            if wanted.get(key) != now.get(key):
                print(f"{commit[:10]}: {key} differs from a fresh port with the edits")
                self.figures["bytes"] += differing(wanted.get(key, b""), now.get(key, b""))
        everything = b"".join(now.values())
        for token in self.tokens:
            if token not in everything:
                print(f"{commit[:10]}: {token.decode()} is lost")
                self.figures["lost"] += 1

    def compare(self, key, fresh, now):
        if fresh is None or fresh == self.base[key]:
            return
        self.figures["merged"] += 1
        merged, git = self.merge(self.expected[key], self.base[key], fresh)
        self.expected[key], self.base[key] = merged, fresh
        text = now.get(key, b"")
        marked = MARKERS.search(text) is not None
        ours = conflicts(text)
        self.figures["ours"] += ours
        self.figures["git"] += git
        self.figures["more"] += max(0, ours - git)
        self.figures["fewer"] += max(0, git - ours)
        if marked:
            now[key] = MARKERS.sub(lambda match: match.group(1), text)
            write(os.path.join(self.out, key), now[key])
        if marked or git:
            if now[key] != merged:
                self.figures["borders"] += differing(merged, now[key])
            self.expected[key] = now[key]

    def go(self, arguments):
        commits = self.commits(arguments.days, arguments.most)
        touched = set(self.git("log", "--first-parent", "--name-only", "--format=", f"{commits[0]}..{commits[-1]}").split("\n"))
        self.check_out(commits[0])
        fresh = self.fresh()
        self.port(self.out)
        self.edit(fresh, touched, arguments.edits)
        for number, (before, commit) in enumerate(zip(commits, commits[1:]), 2):
            self.step(before, commit)
            print(f"{number} of {len(commits)} commits: {self.figures}", file=sys.stderr, flush=True)
        return len(commits)


def conflicts(text):
    """How many conflicts there are, counted as git counts them."""
    count, end = 0, None
    for found in MARKERS.finditer(text):
        if end is None or text.count(b"\n", end, found.start()) > NEAR:
            count += 1
        end = found.end()
    return count


def differing(a, b):
    """Bytes of lines that only one of two texts has."""
    one, other = a.splitlines(), b.splitlines()
    return sum(map(len, set(one) ^ set(other))) or abs(len(a) - len(b)) or 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("repository")
    parser.add_argument("--binary", default="target/release/cass-transpile")
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--edits", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int)
    arguments = parser.parse_args()
    walk = Walk(arguments)
    try:
        commits = walk.go(arguments)
    finally:
        walk.git("worktree", "remove", "--force", walk.source, check=False)
        shutil.rmtree(walk.folder, ignore_errors=True)
    f = walk.figures
    print(
        f"{commits} commits, {len(walk.tokens)} edits in {len(set(walk.tokens.values()))} files, {f['merged']} merges: "
        f"{f['lost']} edits lost, {f['ours']} conflicts ({f['git']} of git: {f['more']} more, {f['fewer']} fewer), "
        f"{f['bytes']} bytes differ from a fresh port with the edits, {f['borders']} at the borders of conflicts"
    )
    sys.exit(1 if f["lost"] or f["more"] or f["bytes"] else 0)


if __name__ == "__main__":
    main()
