// Starts `ruledsl lsp` and connects it with the editor. It needs nothing but what VS Code brings: the protocol is spoken
// in client.js, which knows no editor and is tested without one.
"use strict";

const vscode = require("vscode");
const { Client } = require("./client");
const { features } = require("./features");

let client;

async function activate(context) {
  const [command, ...words] = vscode.workspace.getConfiguration("ruledsl").get("command");
  const found = vscode.languages.createDiagnosticCollection("ruledsl");
  context.subscriptions.push(found);
  client = new Client(command, words, {
    diagnostics: (uri, list) => found.set(vscode.Uri.parse(uri), list.map((one) => diagnostic(one))),
    message: (text) => vscode.window.showWarningMessage(text),
    ended: (why) => vscode.window.showErrorMessage(`ruledsl: ${why}; see the setting ruledsl.command`),
  });
  await client.start(vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? null);
  const ours = (document) => document.languageId === "ruledsl" || document.languageId === "yaml";
  const open = (document) => ours(document) && client.open(document.uri.toString(), document.getText());
  vscode.workspace.textDocuments.forEach(open);
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (ours(event.document)) client.change(event.document.uri.toString(), event.document.getText());
    }),
    vscode.workspace.onDidSaveTextDocument((document) => ours(document) && client.save(document.uri.toString())),
    vscode.workspace.onDidCloseTextDocument((document) => ours(document) && client.close(document.uri.toString())),
    // The server knows which YAML files are of a game, and answers nothing about others.
    ...features(vscode, client, [{ language: "ruledsl" }, { language: "yaml" }])
  );
}

function diagnostic(one) {
  const severity = one.severity === 1 ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const made = new vscode.Diagnostic(range(one.range), one.message, severity);
  made.code = one.code;
  made.source = one.source;
  return made;
}

function range(one) {
  return new vscode.Range(one.start.line, one.start.character, one.end.line, one.end.character);
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
