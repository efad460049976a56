// The grammars: every pattern can be read, and tells apart what it is for.
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");

const folder = path.join(__dirname, "..", "syntaxes");
const read = (name) => JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));

function patterns(node) {
  if (Array.isArray(node)) return node.flatMap(patterns);
  if (node === null || typeof node !== "object") return [];
  const own = ["match", "begin", "end"].filter((key) => typeof node[key] === "string" && !node[key].includes("\\1")).map((key) => node[key]);
  return [...own, ...Object.values(node).flatMap(patterns)];
}

test("every pattern can be read", () => {
  for (const name of fs.readdirSync(folder)) {
    const found = patterns(read(name));
    assert.ok(found.length > 5);
    for (const pattern of found) new RegExp(pattern, "u");
  }
});

test("what stands in an expression", () => {
  const { patterns: rules } = read("expressions.tmLanguage.json").repository.expression;
  const scope = (text, word) => rules.find((rule) => [...text.matchAll(new RegExp(rule.match, "gu"))].some((m) => m[0] === word))?.name;
  const text = "if any(c in cell where c.owner == me) then count(hand) + 1 else none";
  assert.strictEqual(scope(text, "where"), "keyword.operator.word.ruledsl");
  assert.strictEqual(scope(text, "any"), "support.function.ruledsl");
  assert.strictEqual(scope(text, "me"), "variable.language.ruledsl");
  assert.strictEqual(scope(text, "owner"), "variable.other.member.ruledsl");
  assert.strictEqual(scope(text, "1"), "constant.numeric.ruledsl");
  assert.strictEqual(scope(text, "none"), "constant.language.ruledsl");
  assert.strictEqual(scope(text, "hand"), undefined);
});

test("keys and texts of a file", () => {
  const { repository } = read("ruledsl.tmLanguage.json");
  assert.strictEqual(new RegExp(repository.key.match, "u").exec("  - choose: x")[2], "choose");
  assert.strictEqual(new RegExp(repository.key.match, "u").exec("  power(enemy e, 0..9 n):")[2], "power(enemy e, 0..9 n)");
  assert.ok(new RegExp(repository.verb.match, "u").test("choose"));
  assert.strictEqual(new RegExp(repository.text.match, "u").exec("    label: place at {cell}")[4], "place at {cell}");
});
