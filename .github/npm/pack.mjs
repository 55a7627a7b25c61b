// Writes the npm packages of a release: one for each system with the program in it, and one that depends on them all.
//   node .github/npm/pack.mjs OUT TARGET=PROGRAM...      x86_64-unknown-linux-gnu=target/dist/cass-transpile
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");

// What npm calls the systems that Rust calls by target.
const SYSTEMS = {
  "x86_64-unknown-linux-gnu": { os: "linux", cpu: "x64", libc: "glibc" },
  "x86_64-unknown-linux-musl": { os: "linux", cpu: "x64", libc: "musl" },
  "aarch64-unknown-linux-gnu": { os: "linux", cpu: "arm64", libc: "glibc" },
  "aarch64-unknown-linux-musl": { os: "linux", cpu: "arm64", libc: "musl" },
  "x86_64-apple-darwin": { os: "darwin", cpu: "x64" },
  "aarch64-apple-darwin": { os: "darwin", cpu: "arm64" },
  "x86_64-pc-windows-msvc": { os: "win32", cpu: "x64" },
};

const cargo = readFileSync(join(root, "Cargo.toml"), "utf8");
const field = (name) => cargo.match(new RegExp(`^${name} = "(.*)"`, "m"))[1];
const repository = process.env.GITHUB_REPOSITORY;
const common = {
  version: field("version"),
  description: field("description"),
  license: field("license"),
  ...(repository && { repository: { type: "git", url: `git+https://github.com/${repository}.git` } }),
};

function write(folder, manifest) {
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2) + "\n");
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
}

function system(out, target, program) {
  const { os, cpu, libc } = SYSTEMS[target] ?? fail(`no npm name is known for ${target}`);
  const name = `cass-transpile-${os}-${cpu}${libc === "musl" ? "-musl" : ""}`;
  const folder = join(out, name);
  const file = os === "win32" ? "cass-transpile.exe" : "cass-transpile";
  mkdirSync(folder, { recursive: true });
  copyFileSync(program, join(folder, file));
  chmodSync(join(folder, file), 0o755);
  write(folder, { name, ...common, os: [os], cpu: [cpu], ...(libc && { libc: [libc] }), files: [file], preferUnplugged: true });
  return name;
}

function fail(message) {
  console.error(`pack.mjs: ${message}`);
  process.exit(2);
}

const [out, ...programs] = process.argv.slice(2);
if (!programs.length) fail("give a folder and TARGET=PROGRAM for each system");
const names = programs.map((one) => system(out, ...one.split("=")));
const main = join(out, "cass-transpile");
mkdirSync(join(main, "bin"), { recursive: true });
copyFileSync(join(here, "cass-transpile.js"), join(main, "bin", "cass-transpile.js"));
copyFileSync(join(root, "README.md"), join(main, "README.md"));
write(main, {
  name: "cass-transpile",
  ...common,
  keywords: ["cuda", "hip", "rocm", "lint", "transpiler"],
  bin: { "cass-transpile": "bin/cass-transpile.js" },
  engines: { node: ">=16" },
  files: ["bin"],
  optionalDependencies: Object.fromEntries(names.map((name) => [name, common.version])),
});
console.log([...names, "cass-transpile"].join("\n"));
