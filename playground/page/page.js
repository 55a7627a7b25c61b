"use strict";

const EXAMPLE = `#include <cuda_runtime.h>
#include <cstdio>

__device__ float sum(float v) {
    for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
    return v;
}

__global__ void total(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = sum(i < n ? x[i] : 0.f);
    if (threadIdx.x % 32 == 0) atomicAdd(y, v);
}

int main() {
    float *x, *y;
    cudaMalloc(&x, 1024 * sizeof(float));
    cudaMalloc(&y, sizeof(float));
    total<<<4, 256>>>(x, y, 1024);
    cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice, cudaFlushGPUDirectRDMAWritesToOwner);
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s\\n", cudaGetErrorString(e));
}
`;

const $ = (id) => document.getElementById(id);
const fields = [...document.querySelectorAll("header [name]")];
const usual = Object.fromEntries(fields.map((field) => [field.name, field.value]));
const worker = new Worker("worker.js");
let [asked, timer] = [0, 0];

// What goes into the address: the text and what differs from the defaults, packed.
const state = () => ({
  text: $("source").value,
  ...Object.fromEntries(fields.filter((field) => field.value !== usual[field.name]).map((field) => [field.name, field.value])),
});

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

async function packed(value) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(value)));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes)));
}

function ask() {
  const value = (name) => fields.find((field) => field.name === name).value.trim();
  const options = { warp: value("warp"), launch: value("launch"), blas: value("blas"), compat: value("compat") };
  if (value("rocm")) options.rocm = value("rocm");
  if (value("target")) options.target = value("target").split(",").map((chip) => chip.trim());
  $("status").value = "…";
  worker.postMessage({ id: ++asked, request: { name: value("name") || "kernel.cu", text: $("source").value, options } });
}

function later() {
  clearTimeout(timer);
  notice = "";
  timer = setTimeout(ask, 120);
}

// Offsets of a place of the source, in what text areas count.
function range(finding) {
  const lines = $("source").value.split("\n");
  const at = (line, column) => lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
  return [at(finding.line, finding.column), at(finding.end_line, finding.end_column)];
}

function follow(finding) {
  const area = $("source");
  const [start, end] = range(finding);
  area.focus();
  area.setSelectionRange(start, end);
  const height = parseFloat(getComputedStyle(area).lineHeight);
  area.scrollTop = Math.max(0, (finding.line - 4) * height);
}

function element(name, className, ...children) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...children);
  return made;
}

// What stands between backticks is code.
function prose(text) {
  const pieces = text.split("`");
  if (pieces.length % 2 === 0) return [text];
  return pieces.map((piece, at) => (at % 2 ? element("code", "", piece) : piece));
}

function item(finding) {
  const link = element("a", "", finding.code);
  link.href = finding.page;
  link.title = finding.name;
  const place = element("span", "place", `${finding.line}:${finding.column} `);
  const mark = finding.applied ? "[*] " : "";
  const button = element("button", "", place, element("b", finding.severity, finding.severity), " ", link, ` ${mark}`, ...prose(finding.message));
  if (finding.help) button.append(element("small", "", ...prose(finding.help)));
  button.onclick = (event) => { if (event.target !== link) follow(finding); };
  return element("li", "", button);
}

function mark(findings) {
  const text = $("source").value;
  const places = findings.filter((one) => one.severity !== "info" || $("info").checked).map((one) => [...range(one), one.severity]);
  places.sort((a, b) => a[0] - b[0]);
  const marks = $("marks");
  marks.replaceChildren();
  let at = 0;
  for (const [start, end, severity] of places) {
    if (start < at) continue;
    marks.append(text.slice(at, start), element("mark", severity, text.slice(start, end)));
    at = end;
  }
  marks.append(text.slice(at), "\n");
  marks.scrollTop = $("source").scrollTop;
}

function show(answer) {
  if (answer.error) {
    $("status").value = answer.error;
    return;
  }
  const source = new Set($("source").value.split("\n"));
  const lines = answer.output.split("\n").map((line) => element("span", source.has(line) ? "" : "changed", `${line}\n`));
  $("result").replaceChildren(...lines);
  if (answer.header) $("result").append(element("details", "", element("summary", "", "cass_hip_compat.hpp, the helpers that it includes"), answer.header));
  const findings = answer.findings.filter((one) => one.severity !== "info" || $("info").checked);
  $("findings").replaceChildren(...findings.map(item));
  $("summary").textContent = answer.summary;
  const count = (severity) => answer.findings.filter((one) => one.severity === severity).length;
  const counted = (severity) => `${count(severity)} ${severity}${count(severity) === 1 ? "" : "s"}`;
  $("status").value = `${notice}${counted("error")}, ${counted("warning")}`;
  mark(answer.findings);
}

// What the reader has to know of the address, until the next change.
let notice = "";
let last = null;
worker.onmessage = ({ data: { id, answer, times } }) => {
  if (id !== asked) return;
  show((last = answer));
  // `performance.getEntriesByName("result")` says when results came and where the time went.
  performance.mark("result", { detail: times });
};
worker.onerror = (event) => { $("status").value = event.message; };
$("source").oninput = later;
$("source").onscroll = () => { $("marks").scrollTop = $("source").scrollTop; $("marks").scrollLeft = $("source").scrollLeft; };
$("info").onchange = () => last && show(last);
fields.forEach((field) => { field.oninput = later; });
$("share").onclick = async () => {
  // Without the event of a new address, which would run the same text again and take the message away.
  history.replaceState(null, "", `#${await packed(state())}`);
  $("status").value = "the address holds it now";
  await navigator.clipboard?.writeText(location.href).catch(() => {});
};

async function begin() {
  let given = { text: EXAMPLE };
  notice = "";
  if (location.hash.length > 1) {
    given = await unpacked(location.hash.slice(1)).catch(() => {
      notice = "the link is damaged, this is the example: ";
      return { text: EXAMPLE };
    });
  }
  $("source").value = String(given.text ?? "");
  fields.forEach((field) => { field.value = given[field.name] ?? usual[field.name]; });
  ask();
}
window.onhashchange = begin;
begin();
