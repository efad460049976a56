// The client and what it tells VS Code, without an editor: RULEDSL names the command of the server, as JSON.
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { test } = require("node:test");
const { pathToFileURL } = require("node:url");
const { Client } = require("../client");
const { features } = require("../features");

const [COMMAND, ...WORDS] = JSON.parse(process.env.RULEDSL ?? '["ruledsl", "lsp"]');
const GAME = `ruledsl: 1
game: nuts
players: [hermit, squirrel]
values:
  left: {is: 0..9, start: 5}
play:
  - turns: players
    do:
      - choose:
          n: 1..min(3, left)
        label: take {n}
        else: {end: game}
      - subtract: {lfet: n}
      - if: left == 0
        then: {win: me}
`;

class Plain {
  constructor(...parts) {
    this.parts = parts;
  }
}

function fake() {
  const registered = {};
  const languages = new Proxy({}, { get: (_, name) => (selector, provider) => ((registered[name] = provider), { dispose() {} }) });
  const replaced = [];
  class WorkspaceEdit {
    replace(uri, range, text) {
      replaced.push([range.parts, text]);
    }
  }
  const names = ["Range", "Position", "Location", "Hover", "MarkdownString", "CompletionItem", "DocumentSymbol", "TextEdit", "InlayHint", "CodeAction"];
  const classes = Object.fromEntries(names.map((name) => [name, Plain]));
  return { registered, replaced, vscode: { ...classes, languages, WorkspaceEdit, Uri: { parse: (text) => text }, CodeActionKind: {} } };
}

test("a session", async (t) => {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "ruledsl-")), "nuts.yaml");
  fs.writeFileSync(file, GAME);
  const uri = pathToFileURL(file).toString();
  let found = [];
  let heard = () => {};
  const until = async (holds) => {  // a version may be told in two steps, and an older one late
    while (!holds(found)) await new Promise((resolve) => (heard = resolve));
  };
  const client = new Client(COMMAND, WORDS, { diagnostics: (_, list) => heard((found = list)), ended: (why) => assert.fail(why) });
  t.after(() => client.stop());  // else a failure would leave the server, and node would wait for it
  const result = await client.start(null);
  assert.ok(result.capabilities.completionProvider);
  client.open(uri, GAME);
  await until((list) => list.some((one) => one.code === "N101"));
  const slip = found.find((one) => one.code === "N101");
  assert.strictEqual(slip.range.start.line, 12);

  const { registered, replaced, vscode } = fake();
  assert.strictEqual(features(vscode, client, []).length, 9);
  const document = { uri };
  const at = { line: 13, character: 13 };
  const [fix] = await registered.registerCodeActionsProvider.provideCodeActions(document, { start: { line: 12, character: 0 }, end: { line: 12, character: 9 } });
  assert.ok(fix.parts[0].includes("left"));
  assert.deepStrictEqual(replaced, [[[12, 19, 12, 23], "left"]]);

  client.change(uri, GAME.replace("lfet", "left"));
  await until((list) => !list.some((one) => one.severity === 1));
  const hover = await registered.registerHoverProvider.provideHover(document, at);
  assert.ok(hover.parts[0].parts[0].includes("a number 0..9"));
  const items = await registered.registerCompletionItemProvider.provideCompletionItems(document, at);
  assert.ok(items.some((one) => one.parts[0] === "left"));
  const places = await registered.registerReferenceProvider.provideReferences(document, at);
  assert.strictEqual(places.length, 4);
  const symbols = await registered.registerDocumentSymbolProvider.provideDocumentSymbols(document);
  assert.deepStrictEqual(symbols.map((one) => one.parts[0]), ["players", "values", "play"]);
  const hints = await registered.registerInlayHintsProvider.provideInlayHints(document, { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } });
  assert.strictEqual(hints[0].parts[1], "all see it");
  replaced.length = 0;
  await registered.registerRenameProvider.provideRenameEdits(document, at, "rest");
  assert.strictEqual(replaced.length, 4);
  client.close(uri);
});

test("a server that is not there", async () => {
  let why;
  const client = new Client("/no/such/ruledsl", [], { ended: (text) => (why = text) });
  await assert.rejects(client.start(null));
  assert.match(why, /ENOENT/);
});
