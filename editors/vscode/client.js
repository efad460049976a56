// A client of the language server protocol over the standard input and output of a process. Without an editor, so that
// it can be tested without one.
"use strict";

const { spawn } = require("node:child_process");

class Client {
  /** `told` has `diagnostics(uri, list)`, `message(text)` and `ended(why)`; each may be missing. */
  constructor(command, words, told = {}) {
    this.command = command;
    this.words = words;
    this.told = told;
    this.waiting = new Map(); // by number: what to do with the answer
    this.number = 0;
    this.versions = new Map();
    this.unread = Buffer.alloc(0);
    this.over = false;
  }

  async start(rootUri) {
    this.process = spawn(this.command, this.words, { stdio: ["pipe", "pipe", "inherit"] });
    this.process.on("error", (problem) => this.#ended(problem.message));
    this.process.on("exit", (code) => this.#ended(`the language server ended with ${code}`));
    this.process.stdin.on("error", () => {});
    this.process.stdout.on("data", (data) => this.#read(data));
    const capabilities = { textDocument: { publishDiagnostics: {}, completion: {}, hover: {} } };
    const result = await this.ask("initialize", { processId: process.pid, rootUri, capabilities });
    this.tell("initialized", {});
    return result;
  }

  async stop() {
    if (this.over) return;
    await this.ask("shutdown", null);
    this.over = true;
    this.tell("exit", null);
  }

  open(uri, text) {
    this.versions.set(uri, 1);
    this.tell("textDocument/didOpen", { textDocument: { uri, languageId: "ruledsl", version: 1, text } });
  }

  change(uri, text) {
    if (!this.versions.has(uri)) return this.open(uri, text);
    const version = this.versions.get(uri) + 1;
    this.versions.set(uri, version);
    this.tell("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
  }

  save(uri) {
    this.tell("textDocument/didSave", { textDocument: { uri } });
  }

  close(uri) {
    this.versions.delete(uri);
    this.tell("textDocument/didClose", { textDocument: { uri } });
  }

  /** The answer to a request about a place of a document. */
  at(what, uri, position, more = {}) {
    return this.ask(`textDocument/${what}`, { textDocument: { uri }, position, ...more });
  }

  ask(method, params) {
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  tell(method, params) {
    this.#send({ method, params });
  }

  #send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.process.stdin.write(body);
  }

  #read(data) {
    this.unread = Buffer.concat([this.unread, data]);
    for (;;) {
      const end = this.unread.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(this.unread.subarray(0, end).toString())[1]);
      if (this.unread.length < end + 4 + length) return;
      const body = this.unread.subarray(end + 4, end + 4 + length).toString();
      this.unread = this.unread.subarray(end + 4 + length);
      this.#take(JSON.parse(body));
    }
  }

  #take(message) {
    if (message.method === undefined) {
      const { resolve, reject } = this.waiting.get(message.id) ?? {};
      this.waiting.delete(message.id);
      if (message.error) reject?.(new Error(message.error.message));
      else resolve?.(message.result);
    } else if (message.method === "textDocument/publishDiagnostics") {
      this.told.diagnostics?.(message.params.uri, message.params.diagnostics);
    } else if (message.method === "window/showMessage") {
      this.told.message?.(message.params.message);
    } else if (message.id !== undefined) {
      this.#send({ id: message.id, result: null }); // nothing that the server asks for is needed here
    }
  }

  #ended(why) {
    for (const { reject } of this.waiting.values()) reject(new Error(why));
    this.waiting.clear();
    if (!this.over) this.told.ended?.(why);
    this.over = true;
  }
}

module.exports = { Client };
