import type { Diagnostic, Range, Uri } from "vscode";

/** How what converts safely is shown. */
export type Hints = "each" | "grouped" | "off";

/** `vscode.DiagnosticSeverity.Hint`. */
const HINT = 3;

/** The diagnostics with hints as the settings want them: grouped, one of each rule at its first place that names the others. */
export function shown(uri: Uri, diagnostics: readonly Diagnostic[], hints: Hints): Diagnostic[] {
  if (hints === "each") return [...diagnostics];
  const rest = diagnostics.filter(({ severity }) => severity !== HINT);
  if (hints === "off") return rest;
  const rules = new Map<string, Diagnostic[]>();
  for (const hint of diagnostics.filter(({ severity }) => severity === HINT)) {
    const rule = code(hint);
    rules.set(rule, [...(rules.get(rule) ?? []), hint]);
  }
  for (const [first, ...others] of rules.values()) {
    if (others.length) {
      first.message += `\n${others.length} more of this kind in the file`;
      first.relatedInformation = others.map(({ range, message }) => ({ location: { uri, range }, message }));
    }
    rest.push(first);
  }
  return rest;
}

/** Whether a diagnostic of ours stands where a hover begins: it says the same. */
export function isSaid(range: Range | undefined, diagnostics: readonly Diagnostic[]): boolean {
  const starts = ({ start }: Range) => range && start.line === range.start.line && start.character === range.start.character;
  return diagnostics.some((one) => one.source === "cass-transpile" && starts(one.range));
}

function code({ code }: Diagnostic): string {
  return String(typeof code === "object" ? code.value : code);
}
