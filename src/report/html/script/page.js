  // Puts what the address says on the page, and what a person does into the address.

  // Printing shows what is filtered, up to this many rows: enough for a report that somebody reads on paper.
  const PRINTED = { findings: 1000, others: 50 };
  const element = (id) => document.getElementById(id);
  const [byRule, byFile, byText] = ["by-rule", "by-file", "by-text"].map(element);
  const toggles = Array.from(document.querySelectorAll(".toggle"));
  const letter = (toggle) => WORDS[toggle.dataset.severity][0];
  const most = (items, of) => Math.max(1, ...items.map(of));
  const most_of = { effort: 1, places: 1, folder: 1 };

  const problemTable = table("problems", {
    severity: (problem) => problem.severity * 1e9 + problem.places, code: (problem) => data.rules[problem.rule][0],
    message: (problem) => problem.message, places: (problem) => problem.places, files: (problem) => problem.files,
  }, (problem) => problemRow(problem, most_of.places), "-severity", 10);
  const folderTable = table("folders", {
    path: (folder) => folder.path, effort: (folder) => folder.effort, errors: (folder) => folder.errors,
    warnings: (folder) => folder.warnings, files: (folder) => folder.files, ready: (folder) => folder.ready,
  }, (folder) => folderRow(folder, most_of.folder), "-effort", 10);
  const fileTable = table("files", {
    path: (file) => file.path, effort: (file) => file.failed ? Infinity : file.effort, errors: (file) => file.errors,
    warnings: (file) => file.warnings, references: (file) => file.references, portability: (file) => file.portability,
    lines: (file) => file.lines,
  }, (file) => fileRow(file, most_of.effort), "-effort", 10);
  const list = table("list", {
    severity: (finding) => finding.severity, code: (finding) => data.rules[finding.rule][0],
    place: (finding) => finding.file * 1e7 + finding.line, message: (finding) => finding.message,
  }, findingRow, "-severity", 50, (change) => {
    go({ sort: change.sort || state.sort, page: String((change.page || 0) + 1) });
  });

  // Problems with their places in what is shown of the tree.
  function problemsOf(shown) {
    const found = data.problems.map(([rule, severity, message, help], order) =>
      ({ number: order + 1, order, rule, severity, message, help: data.helps[help], places: 0, files: 0, last: -1 }));
    shown.forEach((finding) => {
      const problem = found[finding.problem - 1];
      if (!problem) return;
      problem.places += 1;
      if (problem.last !== finding.file) problem.files += 1;
      problem.last = finding.file;
    });
    return found.filter((problem) => problem.places > 0);
  }

  // What lies in a folder, by the next part of the path; a folder that holds nothing but one folder is shown as one with it.
  function foldersOf(inside, at) {
    const groups = new Map();
    inside.forEach((file) => {
      const end = file.path.indexOf("/", at.length);
      const key = end < 0 ? at : file.path.slice(0, end + 1);
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(file);
    });
    if (groups.size === 1 && !groups.has(at)) {
      const [only] = groups.keys();
      const below = foldersOf(inside, only);
      return below.length > 1 ? below : [folder(only, inside, at)];
    }
    return Array.from(groups, ([path, within]) => folder(path, within, at));
  }
  function folder(path, within, at) {
    const sum = (of) => within.reduce((total, file) => total + of(file), 0);
    return {
      path, order: within[0].order, isFolder: path !== at, effort: sum((file) => file.effort), errors: sum((file) => file.errors),
      warnings: sum((file) => file.warnings), files: within.length, ready: sum((file) => file.state === READY ? 1 : 0),
    };
  }

  // The way to the folder that is shown, each part of which leads back to it.
  function drawWhere() {
    const where = element("where");
    where.replaceChildren("Each with everything below it. ");
    if (!state.in) return;
    const parts = state.in.split("/").slice(0, -1);
    ["all", ...parts].forEach((part, at) => {
      const control = make("button", "crumb", part);
      control.type = "button";
      control.addEventListener("click", () => go({ in: parts.slice(0, at).map((part) => part + "/").join("") }));
      where.append(control, at < parts.length ? " / " : "");
    });
  }

  let scope = null;
  // Tables of what lies in the folder that is shown.
  function drawScope() {
    if (scope === state.in) return;
    scope = state.in;
    const inside = files.filter((file) => file.path.startsWith(scope));
    const found = findings.filter((finding) => files[finding.file].path.startsWith(scope));
    const problems = problemsOf(found);
    const folders = foldersOf(inside, scope);
    const worked = inside.filter((file) => file.references || file.effort || file.failed);
    most_of.places = most(problems, (problem) => problem.places);
    most_of.folder = most(folders, (folder) => folder.effort);
    most_of.effort = most(worked, (file) => file.effort);
    problemTable.show(problems);
    folderTable.show(folders);
    fileTable.show(worked);
    drawWhere();
    drawRules(found);
    element("folders-section").dataset.few = String(folders.length < 2 && !scope);
  }
  function drawRules(found) {
    const rules = data.rules.map(() => [0, 0, 0]);
    found.forEach((finding) => { rules[finding.rule][finding.severity] += 1; });
    const sum = (counts) => counts[0] + counts[1] + counts[2];
    const longest = most(rules, sum);
    const order = rules.map((_, at) => at).filter((at) => sum(rules[at]) > 0);
    order.sort((a, b) => sum(rules[b]) - sum(rules[a]) || (data.rules[a][0] < data.rules[b][0] ? -1 : 1));
    element("rules").replaceChildren(...order.map((at) => ruleRow(at, rules[at], longest)));
  }

  function matches() {
    const [file, text] = [state.file.trim().toLowerCase(), state.text.trim().toLowerCase()];
    const has = (part) => part.toLowerCase().includes(text);
    return (finding) => state.show.includes(WORDS[finding.severity][0])
      && (!state.rule || data.rules[finding.rule][0] === state.rule)
      && (!state.problem || finding.problem === Number(state.problem))
      && files[finding.file].path.startsWith(state.in)
      && (!file || files[finding.file].path.toLowerCase().includes(file))
      && (!text || has(finding.message) || has(finding.help) || has(Array.isArray(finding.source) ? finding.source[0] : finding.source));
  }

  function drawControls() {
    toggles.forEach((one) => one.setAttribute("aria-pressed", String(state.show.includes(letter(one)))));
    byRule.value = state.rule;
    if (byFile.value !== state.file) byFile.value = state.file;
    if (byText.value !== state.text) byText.value = state.text;
  }
  function drawFindings() {
    const shown = findings.filter(matches());
    list.show(shown, { sort: state.sort, page: Number(state.page) - 1 || 0 });
    const problem = data.problems[Number(state.problem) - 1];
    const words = shown.length === findings.length
      ? "All " + count(shown.length) + " findings."
      : count(shown.length) + " of " + count(findings.length) + " findings.";
    element("shown").textContent = words;
    if (problem) prose(element("shown"), " Problem: " + problem[2] + ".");
    if (state.in) element("shown").append(" Folder: " + state.in);
  }
  // Shows the finding that the address names, whatever the filters say.
  function drawTarget() {
    const target = findings.find((finding) => name(finding) === state.at);
    if (!target) return;
    if (list.pageOf(target) < 0) {
      state = { ...START, at: state.at };
      drawControls();
      drawScope();
      drawFindings();
    }
    list.turn(list.pageOf(target));
    document.querySelector("#list .target").scrollIntoView({ block: "center" });
  }
  let known_address = null;
  function apply() {
    known_address = hash();
    drawControls();
    drawScope();
    drawFindings();
    if (state.at) drawTarget();
  }
  function toFindings() {
    const title = element("findings");
    title.scrollIntoView();
    title.focus({ preventScroll: true });
  }

  const codes = Array.from(new Set(findings.map((finding) => finding.rule))).sort((a, b) => (data.rules[a][0] < data.rules[b][0] ? -1 : 1));
  codes.forEach((at) => {
    const option = make("option", "", data.rules[at][0] + " " + data.rules[at][1]);
    option.value = data.rules[at][0];
    byRule.append(option);
  });
  toggles.forEach((one) => {
    const total = findings.filter((finding) => finding.severity === Number(one.dataset.severity)).length;
    one.querySelector("span").textContent = count(total);
    one.hidden = total === 0;
    one.addEventListener("click", () => {
      const kept = (other) => (other === one) !== state.show.includes(letter(other));
      go({ show: toggles.filter(kept).map(letter).join("") });
    });
  });
  let timer = 0;
  [["file", byFile], ["text", byText]].forEach(([key, input]) => input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => go({ [key]: input.value }, true), 120);
  }));
  byRule.addEventListener("change", () => go({ rule: byRule.value }));
  const form = document.querySelector(".filters");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => go({ ...START })));
  addEventListener("hashchange", moved);
  addEventListener("popstate", moved);
  function moved() {
    if (hash() !== known_address && read()) apply();
  }
  // Links of the page into its tables: like the rows of these they lead to the findings.
  document.querySelectorAll("a[href^='#problem=']").forEach((link) => link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go({ ...START, ...Object.fromEntries(new URLSearchParams(link.hash.slice(1))) });
    toFindings();
  }));
  addEventListener("beforeprint", () => {
    list.print(PRINTED.findings);
    [problemTable, folderTable, fileTable].forEach((table) => table.print(PRINTED.others));
  });
  addEventListener("afterprint", () => [list, problemTable, folderTable, fileTable].forEach((table) => table.draw()));

  read();
  document.querySelectorAll(".scripted").forEach((section) => { section.hidden = false; });
  apply();
  if (!state.at && [state.rule, state.problem, state.file, state.text].some(Boolean)) toFindings();
