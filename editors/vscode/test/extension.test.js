// The built extension in a stand-in for VS Code: it starts the real server, which answers as it does to an editor.
//   CASS=target/debug/cass-transpile npm test
"use strict";

const assert = require("node:assert");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");

const program = path.resolve(process.env.CASS ?? path.join(__dirname, "../../../target/debug/cass-transpile"));
const manifest = JSON.parse(fs.readFileSync(path.join(__dirname, "../package.json"), "utf8"));

/** A client that speaks the protocol over the streams of the server, as the library of the extension does. */
function connect(args) {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  const notes = [];
  let rest = Buffer.alloc(0);
  child.stdout.on("data", (data) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const head = rest.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/Content-Length: (\d+)/.exec(rest.subarray(0, head))[1]);
      if (rest.length < head + 4 + length) return;
      const message = JSON.parse(rest.subarray(head + 4, head + 4 + length));
      rest = rest.subarray(head + 4 + length);
      if ("id" in message) waiting.get(message.id)?.(message.result);
      else notes.push(message);
    }
  });
  let last = 0;
  const send = (message) => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  return {
    notes,
    request: (method, params) => new Promise((resolve) => { waiting.set(++last, resolve); send({ id: last, method, params }); }),
    notify: (method, params) => send({ method, params }),
    end: new Promise((resolve) => child.on("exit", resolve)),
  };
}

test("the server that the extension starts does what the extension relies on", async () => {
  const server = connect(["lsp", "--target=gfx90a"]);
  const { capabilities } = await server.request("initialize", { capabilities: {} });
  assert.equal(capabilities.textDocumentSync.change, 2);
  assert.deepEqual(capabilities.executeCommandProvider.commands, ["cass-transpile.explain"]);
  assert.ok(capabilities.codeActionProvider.codeActionKinds.includes("source.fixAll"));
  const text = "#include <cuda_runtime.h>\nint f(void *p) { return cudaFree(p); }\n";
  server.notify("textDocument/didOpen", { textDocument: { uri: "file:///a.cu", languageId: "cuda-cpp", version: 1, text } });
  const explained = await server.request("workspace/executeCommand", { command: "cass-transpile.explain", arguments: ["CASS003"] });
  for (const key of ["title", "markdown"]) assert.equal(typeof explained[key], "string", key);
  assert.equal(server.notes[0].method, "textDocument/publishDiagnostics");
  await server.request("shutdown");
  server.notify("exit");
  assert.equal(await server.end, 0);
});

/** A file of the sources, as node takes it. */
function built(name) {
  const outfile = path.join(fs.mkdtempSync(path.join(require("node:os").tmpdir(), "cass-")), "built.js");
  require("esbuild").buildSync({ entryPoints: [path.join(__dirname, "../src", name)], outfile, bundle: true, format: "cjs", platform: "node" });
  return require(outfile);
}

test("a hover says nothing where a diagnostic says it", () => {
  const { isSaid } = built("hints.ts");
  const at = (line, character) => ({ start: { line, character }, end: { line, character: character + 3 } });
  const ours = { source: "cass-transpile", range: at(1, 4), message: "gone" };
  assert.ok(isSaid(at(1, 4), [ours]));
  assert.ok(!isSaid(at(1, 5), [ours]));
  assert.ok(!isSaid(at(1, 4), [{ ...ours, source: "clangd" }]));
  assert.ok(!isSaid(undefined, [ours]));
});

test("build files are looked at where no extension knows their language", () => {
  const source = fs.readFileSync(path.join(__dirname, "../src/extension.ts"), "utf8");
  const pattern = /const FILES = "(.*)"/.exec(source)[1];
  for (const name of ["CMakeLists.txt", "*.cmake", "Makefile"]) {
    assert.ok(pattern.includes(name), name);
    assert.ok(manifest.activationEvents.includes(`workspaceContains:**/${name}`), name);
  }
});

test("hints of one rule are one hint that names the others", () => {
  const { shown } = built("hints.ts");
  const uri = { path: "/a.cu" };
  const all = () => [
    { severity: 3, code: { value: "CASS001" }, message: "a becomes b", range: 1 },
    { severity: 0, code: { value: "CASS003" }, message: "gone", range: 2 },
    { severity: 3, code: { value: "CASS001" }, message: "c becomes d", range: 3 },
    { severity: 3, code: { value: "CASS008" }, message: "a header", range: 4 },
  ];
  assert.equal(shown(uri, all(), "each").length, 4);
  assert.deepEqual(shown(uri, all(), "off").map((one) => one.range), [2]);
  const grouped = shown(uri, all(), "grouped");
  assert.deepEqual(grouped.map((one) => one.range), [2, 1, 4]);
  assert.deepEqual(grouped[1].relatedInformation, [{ location: { uri, range: 3 }, message: "c becomes d" }]);
  assert.match(grouped[1].message, /1 more/);
  assert.equal(grouped[2].relatedInformation, undefined);
});

test("the manifest names what is there", () => {
  const source = fs.readFileSync(path.join(__dirname, "../src/extension.ts"), "utf8");
  for (const { command } of manifest.contributes.commands) assert.ok(source.includes(`"${command}"`), command);
  for (const key of Object.keys(manifest.contributes.configuration.properties)) {
    assert.ok(source.includes(`"${key.split(".")[1]}"`), key);
  }
  const languages = manifest.activationEvents.filter((event) => event.startsWith("onLanguage:"));
  for (const event of languages) assert.ok(source.includes(`"${event.split(":")[1]}"`), event);
});

test("the extension is built and loads", { skip: !fs.existsSync(path.join(__dirname, "../out/extension.js")) && "npm run build comes first" }, () => {
  const bundle = fs.readFileSync(path.join(__dirname, "../out/extension.js"), "utf8");
  assert.ok(bundle.includes("cass-transpile.restart"));
});
