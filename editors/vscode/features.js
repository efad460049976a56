// What the server can do, in the terms of VS Code. `vscode` is handed in, so that a test can hand in something else.
"use strict";

function features(vscode, client, selector) {
  const uriOf = (document) => document.uri.toString();
  const place = (at) => ({ line: at.line, character: at.character });
  const range = (one) => new vscode.Range(one.start.line, one.start.character, one.end.line, one.end.character);
  const edits = (answer) => {
    const made = new vscode.WorkspaceEdit();
    for (const [uri, list] of Object.entries(answer?.changes ?? {}))
      for (const edit of list) made.replace(vscode.Uri.parse(uri), range(edit.range), edit.newText);
    return made;
  };
  const symbol = (one) => {
    const made = new vscode.DocumentSymbol(one.name, one.detail ?? "", one.kind - 1, range(one.range), range(one.selectionRange));
    made.children = (one.children ?? []).map(symbol);
    return made;
  };
  const on = vscode.languages;
  return [
    on.registerCompletionItemProvider(
      selector,
      {
        async provideCompletionItems(document, at) {
          const answer = await client.at("completion", uriOf(document), place(at));
          return (answer?.items ?? []).map((one) => {
            const item = new vscode.CompletionItem(one.label, one.kind - 1);
            item.detail = one.detail;
            item.documentation = one.documentation ? new vscode.MarkdownString(one.documentation.value) : undefined;
            item.sortText = one.sortText;
            item.insertText = one.insertText;
            return item;
          });
        },
      },
      "."
    ),
    on.registerHoverProvider(selector, {
      async provideHover(document, at) {
        const answer = await client.at("hover", uriOf(document), place(at));
        return answer ? new vscode.Hover(new vscode.MarkdownString(answer.contents.value), range(answer.range)) : undefined;
      },
    }),
    on.registerDefinitionProvider(selector, {
      async provideDefinition(document, at) {
        const answer = await client.at("definition", uriOf(document), place(at));
        const found = Array.isArray(answer) ? answer : answer ? [answer] : [];
        return found.map((one) => new vscode.Location(vscode.Uri.parse(one.uri), range(one.range)));
      },
    }),
    on.registerReferenceProvider(selector, {
      async provideReferences(document, at) {
        const answer = await client.at("references", uriOf(document), place(at), { context: { includeDeclaration: true } });
        return (answer ?? []).map((one) => new vscode.Location(vscode.Uri.parse(one.uri), range(one.range)));
      },
    }),
    on.registerRenameProvider(selector, {
      async provideRenameEdits(document, at, newName) {
        return edits(await client.at("rename", uriOf(document), place(at), { newName }));
      },
    }),
    on.registerDocumentSymbolProvider(selector, {
      async provideDocumentSymbols(document) {
        return ((await client.ask("textDocument/documentSymbol", { textDocument: { uri: uriOf(document) } })) ?? []).map(symbol);
      },
    }),
    on.registerDocumentFormattingEditProvider(selector, {
      async provideDocumentFormattingEdits(document, options) {
        const params = { textDocument: { uri: uriOf(document) }, options: { tabSize: options.tabSize, insertSpaces: true } };
        const answer = await client.ask("textDocument/formatting", params);
        return (answer ?? []).map((one) => new vscode.TextEdit(range(one.range), one.newText));
      },
    }),
    on.registerInlayHintsProvider(selector, {
      async provideInlayHints(document, asked) {
        const params = { textDocument: { uri: uriOf(document) }, range: { start: place(asked.start), end: place(asked.end) } };
        const answer = (await client.ask("textDocument/inlayHint", params)) ?? [];
        return answer.map((one) => {
          const hint = new vscode.InlayHint(new vscode.Position(one.position.line, one.position.character), one.label);
          hint.paddingLeft = true;
          return hint;
        });
      },
    }),
    on.registerCodeActionsProvider(selector, {
      async provideCodeActions(document, asked) {
        const wanted = { start: place(asked.start), end: place(asked.end) };
        const params = { textDocument: { uri: uriOf(document) }, range: wanted, context: { diagnostics: [] } };
        return ((await client.ask("textDocument/codeAction", params)) ?? []).map((one) => {
          const action = new vscode.CodeAction(one.title, vscode.CodeActionKind.QuickFix);
          action.edit = edits(one.edit);
          action.isPreferred = one.isPreferred;
          return action;
        });
      },
    }),
  ];
}

module.exports = { features };
