import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { pathToFileURL } from "node:url";
import {
  createProtocolConnection,
  type Diagnostic,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { program } from "./program.ts";

/** An editor that says what a script tells it to, over the pipes that a real one uses. */
export class Editor implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #connection: ProtocolConnection;
  readonly #told = new Map<string, readonly Diagnostic[]>();
  readonly #waiting = new Set<() => void>();
  readonly #versions = new Map<string, number>();
  /** What the server wrote to standard error. */
  complaints = "";

  private constructor(child: ChildProcess, connection: ProtocolConnection) {
    this.#child = child;
    this.#connection = connection;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.complaints += text;
    });
    connection.onNotification("textDocument/publishDiagnostics", ({ uri, diagnostics }) => {
      this.#told.set(uri, diagnostics);
      for (const look of this.#waiting) look();
    });
    connection.onRequest("client/registerCapability", () => null);
  }

  static async open(folder: string): Promise<Editor> {
    const child = spawn(process.execPath, [program, "lsp", "--stdio"], {
      cwd: tmpdir(),
      env: {},
      stdio: ["pipe", "pipe", "pipe"],
    });
    const connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    connection.listen();
    const editor = new Editor(child, connection);
    await editor.ask("initialize", {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      capabilities: {
        textDocument: { completion: { completionItem: { snippetSupport: true } } },
        workspace: {
          didChangeWatchedFiles: { dynamicRegistration: true },
          workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} },
        },
      },
    });
    await editor.tell("initialized", {});
    return editor;
  }

  ask<Answer = unknown>(method: string, params: unknown): Promise<Answer> {
    return this.#connection.sendRequest<Answer>(method, params);
  }

  tell(method: string, params: unknown): Promise<void> {
    return this.#connection.sendNotification(method, params);
  }

  /** Opens a file with this text, or replaces its text. */
  async write(path: string, text: string): Promise<void> {
    const uri = pathToFileURL(path).href;
    const version = (this.#versions.get(uri) ?? 0) + 1;
    this.#versions.set(uri, version);
    if (version === 1) {
      const languageId = path.endsWith(".ridl") ? "ridl" : path.endsWith(".ts") ? "typescript" : "yaml";
      await this.tell("textDocument/didOpen", { textDocument: { uri, languageId, version, text } });
    } else {
      await this.tell("textDocument/didChange", {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      });
    }
  }

  /** The faults of a file, once they are what the caller waits for. */
  async faults(
    path: string,
    isAwaited: (faults: readonly Diagnostic[]) => boolean,
  ): Promise<readonly Diagnostic[]> {
    const uri = pathToFileURL(path).href;
    for (;;) {
      const faults = this.#told.get(uri);
      if (faults !== undefined && isAwaited(faults)) return faults;
      await new Promise<void>((done) => {
        const look = (): void => {
          this.#waiting.delete(look);
          done();
        };
        this.#waiting.add(look);
      });
    }
  }

  /** A request at the place that `|` marks in a text which was written without it. */
  at<Answer = unknown>(method: string, path: string, marked: string, more: object = {}): Promise<Answer> {
    const before = marked.slice(0, marked.indexOf("|")).split("\n");
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    return this.ask(`textDocument/${method}`, {
      textDocument: { uri: pathToFileURL(path).href },
      position,
      ...more,
    });
  }

  /** Says goodbye as the protocol has it; the exit code. */
  async close(): Promise<number | null> {
    await this.ask("shutdown", undefined);
    const closed = new Promise<number | null>((done) => this.#child.on("close", done));
    await this.tell("exit", undefined);
    const code = await closed;
    this.#connection.dispose();
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.close();
  }
}
