import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { type Hints, isSaid, shown } from "./hints";

const LANGUAGES = ["cuda", "cuda-cpp", "cpp", "c", "cmake", "makefile", "python", "dockerfile", "shellscript"];
/** Files that have no language without an extension of somebody else. */
const FILES = "**/{CMakeLists.txt,*.cmake,Makefile,makefile,GNUmakefile,*.mk}";
const SCHEME = "cass-transpile";

let client: LanguageClient | undefined;

/** Where a package for one system has its program. */
let bundled = "";

function setting<T>(name: string): T | undefined {
  return vscode.workspace.getConfiguration("cass-transpile").get<T>(name);
}

/** The program that the settings name, that of the extension, or that of the path. */
function program(): string {
  return setting<string>("path") || (existsSync(bundled) ? bundled : "cass-transpile");
}

async function start(): Promise<void> {
  const extra = setting<string[]>("arguments") ?? [];
  const server: ServerOptions = { command: program(), args: ["lsp", ...extra] };
  const options: LanguageClientOptions = {
    documentSelector: [...LANGUAGES.map((language) => ({ language })), { pattern: FILES }],
    middleware: {
      // The editor shows what diagnostics say of a place by itself.
      provideHover: async (document, position, token, next) => {
        const hover = await next(document, position, token);
        return hover && isSaid(hover.range, vscode.languages.getDiagnostics(document.uri)) ? undefined : hover;
      },
      handleDiagnostics: (uri, diagnostics, next) => next(uri, shown(uri, diagnostics, setting<Hints>("hints") ?? "grouped")),
      provideDiagnostics: async (document, previous, token, next) => {
        const report = await next(document, previous, token);
        const uri = document instanceof vscode.Uri ? document : document.uri;
        if (report?.kind === "full") report.items = shown(uri, report.items, setting<Hints>("hints") ?? "grouped");
        return report;
      },
      // The server returns the documentation of a rule; it is shown as a page.
      executeCommand: async (command, args, next) => {
        const result = await next(command, args);
        if (command === "cass-transpile.explain" && result) await showPage(result as Explained);
        return result;
      },
    },
  };
  client = new LanguageClient("cass-transpile", "cass-transpile", server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const choice = await vscode.window.showErrorMessage(
      `cass-transpile: \`${program()}\` cannot be started (${error}). Install it with \`pip install cass-transpile\`, or name it in the settings.`,
      "Open settings",
    );
    if (choice) await vscode.commands.executeCommand("workbench.action.openSettings", "cass-transpile.path");
  }
}

interface Explained {
  title: string;
  markdown: string;
  page: string | null;
}

const pages = new Map<string, string>();

async function showPage({ title, markdown, page }: Explained): Promise<void> {
  const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title}.md` });
  pages.set(uri.path, `# ${title}\n\n${markdown}\n\n${page ? `[On the web](${page})\n` : ""}`);
  await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
}

/** Shows the open file beside its translation, unsaved changes included. */
async function showTranslation(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) return;
  const output = await new Promise<string>((resolve, reject) => {
    const child = execFile(
      program(),
      ["-", "--quiet", "--stdin-filename", vscode.workspace.asRelativePath(document.uri)],
      { maxBuffer: 64 << 20, cwd: vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath },
      (error, stdout, stderr) => (error ? reject(new Error(stderr || error.message)) : resolve(stdout)),
    );
    child.stdin?.end(document.getText());
  });
  const uri = vscode.Uri.from({ scheme: SCHEME, path: `${document.uri.path}.hip` });
  pages.set(uri.path, output);
  await vscode.commands.executeCommand("vscode.diff", document.uri, uri, "CUDA ↔ HIP");
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  bundled = join(context.extensionPath, "bin", process.platform === "win32" ? "cass-transpile.exe" : "cass-transpile");
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent: (uri) => pages.get(uri.path) ?? "" }),
    vscode.commands.registerCommand("cass-transpile.restart", async () => {
      await client?.stop();
      await start();
    }),
    vscode.commands.registerCommand("cass-transpile.diff", () =>
      showTranslation().catch((error) => vscode.window.showErrorMessage(`cass-transpile: ${error.message}`)),
    ),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
