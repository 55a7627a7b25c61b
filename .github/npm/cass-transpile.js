#!/usr/bin/env node
// Runs the program of the package for this system; npm installs that one alone, by its `os`, `cpu` and `libc`.
"use strict";

const { spawnSync } = require("node:child_process");
const os = require("node:os");

const isMusl = () => {
  const header = process.report?.getReport().header;
  return process.platform === "linux" && !header?.glibcVersionRuntime;
};

const name = `cass-transpile-${process.platform}-${process.arch}`;
const names = isMusl() ? [`${name}-musl`] : [name, `${name}-musl`];
const exe = process.platform === "win32" ? ".exe" : "";

function program() {
  if (process.env.CASS_BINARY) return process.env.CASS_BINARY;
  for (const candidate of names) {
    try {
      return require.resolve(`${candidate}/cass-transpile${exe}`);
    } catch {
      // The next one may be installed.
    }
  }
  console.error(
    `cass-transpile: no package for ${process.platform} on ${process.arch} is installed (looked for ${names.join(", ")}).\n` +
      "Install without --no-optional, or set CASS_BINARY to a program that you have.",
  );
  process.exit(2);
}

const result = spawnSync(program(), process.argv.slice(2), { stdio: "inherit" });
if (result.error) {
  console.error(`cass-transpile: ${result.error.message}`);
  process.exit(2);
}
// As a shell reports a program that a signal ended.
process.exit(result.status ?? 128 + (os.constants.signals[result.signal] ?? 0));
