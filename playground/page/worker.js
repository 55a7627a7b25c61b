// Runs the translator, a program of WASI: one request on its standard input, one answer on its standard output. It gets no files, no
// network and no clock that moves; what it would ask for beside that is answered with "not supported".
"use strict";

const NOT_SUPPORTED = 58;
let module;

async function load() {
  const response = await fetch("cass.wasm");
  if (!response.ok) throw new Error(`cass.wasm: ${response.status}`);
  // Streaming compiles what has arrived while the rest comes. It insists on a type that some file servers do not know.
  const isTyped = (response.headers.get("content-type") || "").startsWith("application/wasm");
  return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

function run(request) {
  const input = new TextEncoder().encode(JSON.stringify(request));
  const output = [];
  let [at, memory, trouble] = [0, null, ""];
  const view = () => new DataView(memory.buffer);
  const pieces = (list, count) =>
    Array.from({ length: count }, (_, i) => [view().getUint32(list + 8 * i, true), view().getUint32(list + 8 * i + 4, true)]);
  const wasi = {
    fd_read(fd, list, count, read) {
      let total = 0;
      for (const [to, room] of pieces(list, count)) {
        const part = input.subarray(at, at + room);
        new Uint8Array(memory.buffer).set(part, to);
        at += part.length;
        total += part.length;
      }
      view().setUint32(read, total, true);
      return 0;
    },
    fd_write(fd, list, count, written) {
      let total = 0;
      for (const [from, size] of pieces(list, count)) {
        const part = new Uint8Array(memory.buffer).slice(from, from + size);
        if (fd === 1) output.push(part);
        else trouble += new TextDecoder().decode(part);
        total += size;
      }
      view().setUint32(written, total, true);
      return 0;
    },
    environ_sizes_get: (count, size) => (view().setUint32(count, 0, true), view().setUint32(size, 0, true), 0),
    environ_get: () => 0,
    args_sizes_get: (count, size) => (view().setUint32(count, 0, true), view().setUint32(size, 0, true), 0),
    args_get: () => 0,
    random_get: (to, size) => (crypto.getRandomValues(new Uint8Array(memory.buffer, to, Math.min(size, 65536))), 0),
    clock_time_get: (id, precision, to) => (view().setBigUint64(to, 0n, true), 0),
    proc_exit: (code) => { throw new Error(trouble || `the translator ended with ${code}`); },
  };
  const known = { wasi_snapshot_preview1: new Proxy(wasi, { get: (all, name) => all[name] ?? (() => NOT_SUPPORTED) }) };
  // A proxy is asked for each import by its name, so that a new one of the standard library does not stop the page.
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = known[from][name];
  const instance = new WebAssembly.Instance(module, imports);
  memory = instance.exports.memory;
  try {
    instance.exports._start();
  } catch (error) {
    return { error: trouble || String(error) };
  }
  const bytes = new Uint8Array(output.reduce((sum, part) => sum + part.length, 0));
  output.reduce((sum, part) => (bytes.set(part, sum), sum + part.length), 0);
  return JSON.parse(new TextDecoder().decode(bytes));
}

// Milliseconds that the page can say where its time went.
const times = {};
const begin = performance.now();
const ready = load().then((loaded) => {
  module = loaded;
  times.load = performance.now() - begin;
});
onmessage = async ({ data: { id, request } }) => {
  try {
    await ready;
    const start = performance.now();
    const answer = run(request);
    postMessage({ id, answer, times: { ...times, run: performance.now() - start } });
  } catch (error) {
    postMessage({ id, answer: { error: String(error) } });
  }
};
