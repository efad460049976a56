// What the engine of VS Code (vscode-textmate with oniguruma) makes of the grammars; left out where npm has not put it.
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");

function engine() {
  try {
    return [require("vscode-textmate"), require("vscode-oniguruma"), require.resolve("vscode-oniguruma/release/onig.wasm")];
  } catch {
    return undefined;
  }
}

const found = engine();
const folder = path.join(__dirname, "..");
const FILES = { "source.ruledsl": "ruledsl.tmLanguage.json", "ruledsl.expressions.injection": "expressions.tmLanguage.json" };

async function grammar() {
  const [textmate, oniguruma, wasm] = found;
  await oniguruma.loadWASM(fs.readFileSync(wasm).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    getInjections: (scope) => (scope === "source.ruledsl" ? ["ruledsl.expressions.injection"] : undefined),
    loadGrammar: async (scope) => {
      const file = path.join(folder, "syntaxes", FILES[scope]);
      return textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file);
    },
  });
  return registry.loadGrammar("source.ruledsl");
}

function scopes(tokenizer, text) {
  const all = [];
  let state = null;
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = tokenizer.tokenizeLine(line, state);
    for (const one of tokens) all.push([line.slice(one.startIndex, one.endIndex), one.scopes]);
    state = ruleStack;
  }
  return { all, at: (word, nth = 0) => all.filter(([text]) => text.trim() === word)[nth]?.[1].slice(1) ?? [] };
}

const GAME = `values:
  left: {is: 0..9, start: 5}  # a remark
play:
  - turns: players
    do:
      - choose: {n: 1..min(3, left)}
        label: {en: "take {n + 1}", ru: взять}
      - if: any(c in cell where c.owner == me) and not none
        then: {win: me}
        say: it is {left} now`;

test("what VS Code shows", { skip: found === undefined }, async () => {
  const { at } = scopes(await grammar(), GAME);
  const has = (word, scope, nth) => assert.ok(at(word, nth).includes(scope), `${word}: ${at(word, nth)}`);
  has("values", "entity.name.tag.ruledsl");
  has("choose", "keyword.control.ruledsl");
  has("if", "keyword.control.ruledsl");
  has("# a remark", "comment.line.number-sign.ruledsl");
  has("any", "support.function.ruledsl");
  has("min", "support.function.ruledsl");
  has("where", "keyword.operator.word.ruledsl");
  has("not", "keyword.operator.word.ruledsl");
  has("owner", "variable.other.member.ruledsl");
  has("me", "variable.language.ruledsl");
  has("none", "constant.language.ruledsl");
  has("==", "keyword.operator.ruledsl");
  has("9", "constant.numeric.ruledsl");
  has("1", "meta.embedded.expression.ruledsl", 1); // the hole of a text
  has("it is", "string.unquoted.ruledsl");
});

test("every line of every game is read to its end", { skip: found === undefined || !process.env.GAMES }, async () => {
  const tokenizer = await grammar();
  for (const name of process.env.GAMES.split(path.delimiter)) {
    const text = fs.readFileSync(name, "utf8");
    const { all } = scopes(tokenizer, text);
    assert.strictEqual(all.map(([part]) => part).join("").length, text.replaceAll("\n", "").length, name);
    const told = all.filter(([, scope]) => scope.length > 1).length;
    assert.ok(told > all.length / 4, name);
  }
});
