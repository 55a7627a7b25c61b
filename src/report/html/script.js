"use strict";
// Draws the tables from the data. Text reaches the page through textContent only: a source line is never read as HTML.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  // Printing shows what is filtered, up to this many findings and files: enough for a report that somebody reads on paper.
  const PRINTED = { list: 1000, files: 50 };
  const WORDS = ["info", "warning", "error"];
  const WOULD = document.getElementById("data").dataset.fixes;
  const FIX = ["", WOULD + "fixed safely", WOULD + "fixed, to be reviewed", "fix proposed"];
  const count = (number) => number.toLocaleString("en-US");

  const files = data.files.map((row) => {
    const [path, failed, errors, warnings, safe, review, manual, lines, effort] = row;
    const references = safe + review + manual;
    const portability = references ? Math.floor((safe + review) * 1000 / references) / 10 : -1;
    return { path, failed, errors, warnings, references, portability, lines, effort };
  });
  const findings = [];
  let known = 0;
  data.files.forEach((row, file) => {
    const numbers = row[9];
    let line = 0;
    for (let at = 0; at < numbers.length; at += 5) {
      const [rule, severity, message, help, fix, applied] = data.kinds[numbers[at + 3]];
      line += numbers[at];
      const text = known + numbers[at + 4];
      if (text === known) known += 1;
      findings.push({
        file, line, column: numbers[at + 1], width: numbers[at + 2], rule, severity, message,
        help: data.helps[help], fix, applied, source: data.lines[text], labels: row[10][at / 5] || [],
      });
    }
  });

  function make(name, className, text) {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  // What stands between backticks is code.
  function prose(element, text) {
    const pieces = text.split("`");
    if (pieces.length % 2 === 0) { element.append(text); return element; }
    pieces.forEach((piece, at) => element.append(at % 2 ? make("code", "", piece) : piece));
    return element;
  }

  // A path may be broken behind its slashes.
  function path(element, text) {
    text.split("/").forEach((part, at, parts) => {
      element.append(at < parts.length - 1 ? part + "/" : part);
      if (at < parts.length - 1) element.append(make("wbr"));
    });
    return element;
  }

  // Which words of two lines have no counterpart in the other: longest common subsequence; lines are short.
  function changed(a, b) {
    const best = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i--) {
      for (let j = b.length - 1; j >= 0; j--) {
        best[i][j] = a[i] === b[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
      }
    }
    const [old, fresh] = [a.map(() => true), b.map(() => true)];
    for (let i = 0, j = 0; i < a.length && j < b.length;) {
      if (a[i] === b[j]) { old[i++] = false; fresh[j++] = false; }
      else if (best[i + 1][j] >= best[i][j + 1]) i++;
      else j++;
    }
    return [old, fresh];
  }
  const words = (text) => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) || [];

  // A line in pieces: words that changed are marked, the code points from..till are underlined.
  function line(className, sign, parts, isChanged, from, till) {
    const row = make("div", className);
    row.dataset.sign = sign;
    const text = make("span");
    let at = 0;
    parts.forEach((part, number) => {
      const points = Array.from(part);
      const [start, end] = [Math.max(from - at, 0), Math.min(till - at, points.length)];
      const holder = isChanged[number] ? make("mark") : text;
      if (start < end) {
        holder.append(points.slice(0, start).join(""), make("u", "", points.slice(start, end).join("")), points.slice(end).join(""));
      } else holder.append(part);
      if (holder !== text) text.append(holder);
      at += points.length;
    });
    row.append(text);
    return row;
  }

  function frame(finding) {
    const isPair = Array.isArray(finding.source);
    const text = isPair ? finding.source[0] : finding.source;
    if (!text) return null;
    const box = make("div", "frame");
    const old = words(text);
    const from = finding.column - 1;
    const till = finding.width ? from + finding.width : Infinity;
    if (!isPair) {
      box.append(line("same", " ", old, [], from, till));
      return box;
    }
    const [, start, end, middle] = finding.source;
    const fresh = words(text.slice(0, start) + middle + text.slice(text.length - end));
    const [gone, come] = changed(old, fresh);
    box.append(line("old", "−", old, gone, from, till), line("new", "+", fresh, come, 0, 0));
    return box;
  }

  function findingRow(finding) {
    const row = make("tr");
    const severity = make("td");
    severity.append(make("span", "badge " + WORDS[finding.severity], WORDS[finding.severity]));
    const rule = make("td");
    const [code, name] = data.rules[finding.rule];
    rule.append(make("span", "", code), make("small", "", name));
    const place = make("td", "place");
    path(place, files[finding.file].path).append(make("b", "", ":" + finding.line));
    const text = make("td");
    text.append(prose(make("p", "message"), finding.message));
    const box = frame(finding);
    if (box) text.append(box);
    if (finding.labels.length) {
      const list = make("ul", "labels");
      finding.labels.forEach(([line, message]) => list.append(prose(make("li", "", "line " + line + ": "), message)));
      text.append(list);
    }
    if (finding.help) text.append(prose(make("p", "help"), finding.help));
    if (finding.fix) text.append(make("p", "help", finding.applied || finding.fix === 3 ? FIX[finding.fix] : "fix not applied"));
    row.append(severity, rule, place, text);
    return row;
  }

  // Bars are parts of the longest one.
  function bar(parts, most) {
    const cell = make("td", "bar");
    const line = make("span");
    line.setAttribute("aria-hidden", "true");
    parts.forEach(([className, value]) => {
      if (!value) return;
      const part = make("i", className);
      part.style.width = (value * 100 / most).toFixed(2) + "%";
      line.append(part);
    });
    cell.append(line);
    return cell;
  }

  // A table with sortable columns and pages. `less` compares two items by a key; ties keep the order of the files.
  function table(id, items, keys, row, first, length) {
    const element = document.getElementById(id);
    const body = element.tBodies[0];
    const nav = element.closest("section").querySelector(".pages");
    const state = { items, page: 0, key: first[0], down: first[1] };
    function sort() {
      const by = keys[state.key];
      const sign = state.down ? -1 : 1;
      state.items.sort((a, b) => {
        const [x, y] = [by(a), by(b)];
        return x < y ? -sign : x > y ? sign : a.order - b.order;
      });
      element.querySelectorAll("th[data-key]").forEach((head) => {
        if (head.dataset.key === state.key) head.setAttribute("aria-sort", state.down ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
    }
    function button(text, page, enabled) {
      const element = make("button", "", text);
      element.type = "button";
      element.disabled = !enabled;
      element.addEventListener("click", () => {
        state.page = page;
        draw();
        // The button that was pressed is gone: its successor takes the focus, or the other one at the end.
        const again = Array.from(nav.querySelectorAll("button")).find((other) => other.textContent === text && !other.disabled);
        (again || nav.querySelector("button:not(:disabled)"))?.focus();
      });
      return element;
    }
    function draw(size = length) {
      const last = Math.max(0, Math.ceil(state.items.length / size) - 1);
      state.page = Math.min(state.page, last);
      const from = state.page * size;
      body.replaceChildren(...state.items.slice(from, from + size).map(row));
      if (!state.items.length) {
        const cell = make("td", "empty", "Nothing matches.");
        cell.colSpan = 9;
        const line = make("tr");
        line.append(cell);
        body.append(line);
      }
      nav.replaceChildren();
      if (last > 0) {
        nav.append(
          button("First", 0, state.page > 0), button("Previous", state.page - 1, state.page > 0),
          make("span", "", "page " + count(state.page + 1) + " of " + count(last + 1)),
          button("Next", state.page + 1, state.page < last), button("Last", last, state.page < last));
      }
    }
    element.querySelectorAll("th[data-key] button").forEach((control) => {
      control.addEventListener("click", () => {
        const key = control.parentElement.dataset.key;
        state.down = state.key === key ? !state.down : typeof keys[key](items[0] || {}) === "number";
        state.key = key;
        state.page = 0;
        sort();
        draw();
      });
    });
    items.forEach((item, order) => { item.order = order; });
    sort();
    return {
      draw,
      show(list) { state.items = list; state.page = 0; sort(); draw(); },
      print() { const page = state.page; state.page = 0; draw(PRINTED[id]); state.page = page; },
      length: () => state.items.length,
    };
  }

  const most = Math.max(1, ...files.map((file) => file.effort));
  const fileTable = table("files", files.filter((file) => file.references || file.effort || file.failed), {
    path: (file) => file.path, effort: (file) => file.failed ? Infinity : file.effort, errors: (file) => file.errors,
    warnings: (file) => file.warnings, references: (file) => file.references, portability: (file) => file.portability,
    lines: (file) => file.lines,
  }, (file) => {
    const row = make("tr");
    const head = make("th");
    head.scope = "row";
    const name = path(make("button", "name place"), file.path);
    name.type = "button";
    name.title = "Show the findings of this file";
    name.addEventListener("click", () => { byFile.value = file.path; filter(); toFindings(); });
    head.append(name);
    const cells = [file.failed ? "failed" : count(file.errors), count(file.warnings), count(file.references),
      file.portability < 0 ? "–" : file.portability.toFixed(1) + " %", count(file.lines)];
    const effort = bar([["error", 5 * file.errors], ["warning", file.warnings]], most);
    row.append(head, make("td", "", count(file.effort)), effort, ...cells.map((text) => make("td", "", text)));
    return row;
  }, ["effort", true], 10);

  const list = table("list", findings, {
    severity: (finding) => finding.severity, code: (finding) => data.rules[finding.rule][0],
    place: (finding) => finding.file * 1e7 + finding.line, message: (finding) => finding.message,
  }, findingRow, ["severity", true], 50);

  const byRule = document.getElementById("by-rule");
  const byFile = document.getElementById("by-file");
  const byText = document.getElementById("by-text");
  const shown = document.getElementById("shown");
  const toggles = Array.from(document.querySelectorAll(".toggle"));
  const form = document.querySelector(".filters");

  function matches() {
    const severities = new Set(toggles.filter((one) => one.getAttribute("aria-pressed") === "true").map((one) => Number(one.dataset.severity)));
    const [path, text] = [byFile.value.trim().toLowerCase(), byText.value.trim().toLowerCase()];
    const has = (part) => part.toLowerCase().includes(text);
    return (finding) => severities.has(finding.severity)
      && (byRule.value === "" || Number(byRule.value) === finding.rule)
      && (!path || files[finding.file].path.toLowerCase().includes(path))
      && (!text || has(finding.message) || has(finding.help) || has(Array.isArray(finding.source) ? finding.source[0] : finding.source));
  }
  function filter() {
    list.show(findings.filter(matches()));
    const length = list.length();
    shown.textContent = length === findings.length
      ? "All " + count(length) + " findings."
      : count(length) + " of " + count(findings.length) + " findings.";
  }
  function toFindings() {
    const title = document.getElementById("findings");
    title.scrollIntoView();
    title.focus({ preventScroll: true });
  }

  const rules = data.rules.map(() => [0, 0, 0]);
  findings.forEach((finding) => { rules[finding.rule][finding.severity] += 1; });
  const sum = (counts) => counts[0] + counts[1] + counts[2];
  const longest = Math.max(1, ...rules.map(sum));
  const byCode = data.rules.map((rule, at) => at).sort((a, b) => (data.rules[a][0] < data.rules[b][0] ? -1 : 1));
  byCode.forEach((at) => {
    const option = make("option", "", data.rules[at][0] + " " + data.rules[at][1]);
    option.value = at;
    byRule.append(option);
  });
  const ruleRows = byCode.slice().sort((a, b) => sum(rules[b]) - sum(rules[a])).map((at) => {
    const row = make("tr");
    const head = make("th");
    head.scope = "row";
    const name = make("button", "name", data.rules[at][0] + " " + data.rules[at][1]);
    name.type = "button";
    name.title = data.rules[at][3];
    name.addEventListener("click", () => { byRule.value = String(at); filter(); toFindings(); });
    head.append(name);
    const [info, warning, error] = rules[at];
    row.append(head, bar([["error", error], ["warning", warning], ["info", info]], longest), make("td", "", count(sum(rules[at]))));
    return row;
  });
  document.getElementById("rules").append(...ruleRows);

  toggles.forEach((one) => {
    const severity = Number(one.dataset.severity);
    const total = rules.reduce((total, counts) => total + counts[severity], 0);
    one.querySelector("span").textContent = count(total);
    one.hidden = total === 0;
    one.addEventListener("click", () => {
      one.setAttribute("aria-pressed", one.getAttribute("aria-pressed") === "true" ? "false" : "true");
      filter();
    });
  });
  let timer = 0;
  [byFile, byText].forEach((input) => input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(filter, 120);
  }));
  byRule.addEventListener("change", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    toggles.forEach((one) => one.setAttribute("aria-pressed", "true"));
    setTimeout(filter);
  });
  addEventListener("beforeprint", () => { list.print(); fileTable.print(); });
  addEventListener("afterprint", () => { list.draw(); fileTable.draw(); });

  fileTable.draw();
  filter();
  document.querySelectorAll(".scripted").forEach((section) => { section.hidden = false; });
})();
