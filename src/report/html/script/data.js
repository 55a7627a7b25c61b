  // What the page was made with: files, findings, rules, problems.
  const data = JSON.parse(document.getElementById("data").textContent);
  const WORDS = ["info", "warning", "error"];
  const WOULD = document.getElementById("data").dataset.fixes;
  const FIX = ["", WOULD + "fixed safely", WOULD + "fixed, to be reviewed", "fix proposed"];
  const FAILED = 3, READY = 2;

  const files = data.files.map((row, order) => {
    const [path, state, errors, warnings, safe, review, manual, lines, effort] = row;
    const references = safe + review + manual;
    const portability = references ? Math.floor((safe + review) * 1000 / references) / 10 : -1;
    return { path, order, state, failed: state === FAILED, errors, warnings, references, portability, lines, effort };
  });

  const findings = [];
  let known = 0;
  data.files.forEach((row, file) => {
    const numbers = row[9];
    let line = 0;
    for (let at = 0; at < numbers.length; at += 5) {
      const [rule, severity, message, help, fix, applied, problem] = data.kinds[numbers[at + 3]];
      line += numbers[at];
      const text = known + numbers[at + 4];
      if (text === known) known += 1;
      findings.push({
        order: findings.length, file, line, column: numbers[at + 1], width: numbers[at + 2], rule, severity, message, problem,
        help: data.helps[help], fix, applied, source: data.lines[text], labels: row[10][at / 5] || [],
      });
    }
  });

  // What a finding is called in the address of the page: it survives other findings that come and go.
  const name = (finding) =>
    files[finding.file].path + ":" + finding.line + ":" + finding.column + ":" + data.rules[finding.rule][0];
