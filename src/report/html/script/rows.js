  // Rows of the tables.

  // The code of a rule, which leads to its page in the documentation where one is published.
  function ruleCell(rule) {
    const cell = make("td");
    const [code, name, , page] = data.rules[rule];
    const link = make(page ? "a" : "span", "", code);
    if (page) Object.assign(link, { href: page, target: "_blank", rel: "noreferrer noopener" });
    link.title = data.rules[rule][2];
    cell.append(link, make("small", "", name));
    return cell;
  }

  function severityCell(severity) {
    const cell = make("td");
    cell.append(make("span", "badge " + WORDS[severity], WORDS[severity]));
    return cell;
  }

  // A control that changes what is shown; `text` fills it.
  function chooser(className, title, change, text) {
    const control = make("button", className);
    control.type = "button";
    control.title = title;
    control.addEventListener("click", () => { go(change); toFindings(); });
    text(control);
    return control;
  }

  function placeCell(finding) {
    const cell = make("td", "place");
    const link = make("a");
    link.title = "Link to this finding";
    link.href = address({ ...START, at: name(finding) });
    path(link, files[finding.file].path).append(make("b", "", ":" + finding.line));
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go({ page: state.page, at: name(finding) });
    });
    cell.append(link);
    return cell;
  }

  function findingRow(finding) {
    const row = make("tr");
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
    if (finding.fix) text.append(make("p", "help", finding.applied || finding.fix === 3 ? FIX[finding.fix] : "fix not made"));
    row.append(severityCell(finding.severity), ruleCell(finding.rule), placeCell(finding), text);
    if (state.at && state.at === name(finding)) row.className = "target";
    return row;
  }

  function problemRow(problem, most) {
    const row = make("tr");
    const text = make("td");
    text.append(chooser("name", "Show its findings", { problem: String(problem.number) }, (control) => prose(control, problem.message)));
    if (problem.help) text.append(prose(make("p", "help"), problem.help));
    row.append(severityCell(problem.severity), ruleCell(problem.rule), text, make("td", "", count(problem.places)),
      bar([[WORDS[problem.severity], problem.places]], most), make("td", "", count(problem.files)));
    return row;
  }

  function folderRow(folder, most) {
    const row = make("tr");
    const name = folder.path.slice(state.in.length);
    const shown = folder.isFolder ? name : (name || "./") + " (files here)";
    const control = make(folder.isFolder ? "button" : "span", "name place");
    path(control, shown);
    if (folder.isFolder) {
      control.type = "button";
      control.title = "Only this folder";
      control.addEventListener("click", () => go({ in: folder.path }));
    }
    row.append(rowHead(control), make("td", "", count(folder.effort)), bar([["error", 5 * folder.errors], ["warning", folder.warnings]], most),
      ...[folder.errors, folder.warnings, folder.files, folder.ready].map((number) => make("td", "", count(number))));
    return row;
  }

  function fileRow(file, most) {
    const row = make("tr");
    const control = chooser("name place", "Show the findings of this file", { file: file.path }, (control) => path(control, file.path));
    const cells = [file.failed ? "failed" : count(file.errors), count(file.warnings), count(file.references),
      file.portability < 0 ? "–" : file.portability.toFixed(1) + " %", count(file.lines)];
    row.append(rowHead(control), make("td", "", count(file.effort)), bar([["error", 5 * file.errors], ["warning", file.warnings]], most),
      ...cells.map((text) => make("td", "", text)));
    return row;
  }

  function ruleRow(rule, counts, most) {
    const row = make("tr");
    const [code, name, summary] = data.rules[rule];
    const [info, warning, error] = counts;
    row.append(
      rowHead(chooser("name", summary, { rule: code }, (control) => control.append(code + " " + name))),
      bar([["error", error], ["warning", warning], ["info", info]], most), make("td", "", count(info + warning + error)));
    return row;
  }
