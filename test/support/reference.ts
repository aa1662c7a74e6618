import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Files } from "./memory-reader.ts";

export interface ReferenceRequest {
  readonly kind: SchemaKind;
  readonly path: string;
  readonly files: Files;
  readonly filter?: FilterFlags;
}

export type SchemaKind = "ridl" | "ir-json";

/** webrpc-gen's flags as they are typed: services and annotations are lists separated by commas. */
export interface FilterFlags {
  readonly schemaVersion?: string;
  readonly service?: string;
  readonly methodTreeShake?: boolean;
  readonly ignore?: string;
  readonly match?: string;
}

export type ReferenceAnswer =
  | { readonly verdict: "ok"; readonly ir: string; readonly hash: string }
  | { readonly verdict: "error" | "crash"; readonly message: string }
  | { readonly verdict: "hang" };

export interface Reference extends AsyncDisposable {
  /** Answers come in the order of the questions; asking many before awaiting the first is the fast way. */
  ask(request: ReferenceRequest): Promise<ReferenceAnswer>;
}

/** Path of the built reference parser; `.ci/run` builds it, see test/reference/main.go. */
export function referenceBinary(): string | undefined {
  const path = fileURLToPath(new URL("../reference/bin/reference", import.meta.url));
  return existsSync(path) ? path : undefined;
}

/**
 * Starts the reference parser. It is started again whenever a schema ends it; that schema's answer is then "crash".
 * `hangMs` is how long one schema may take: 3,000 by default, a hundred thousand times what a small one needs.
 */
export function startReference(binary: string, options: { readonly hangMs?: number } = {}): Reference {
  return new ReferenceProcess(binary, options.hangMs ?? 3_000);
}

interface Question {
  readonly line: string;
  readonly answer: (answer: ReferenceAnswer) => void;
}

class ReferenceProcess implements Reference {
  readonly #binary: string;
  readonly #hangMs: number;
  #waiting: Question[] = [];
  #child: ChildProcessWithoutNullStreams | undefined;
  #closing = false;

  constructor(binary: string, hangMs: number) {
    this.#binary = binary;
    this.#hangMs = hangMs;
  }

  ask(request: ReferenceRequest): Promise<ReferenceAnswer> {
    return new Promise((answer) => {
      const question: Question = { line: `${JSON.stringify(request)}\n`, answer };
      this.#waiting.push(question);
      if (this.#child === undefined) this.#start();
      else this.#child.stdin.write(question.line);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true;
    const child = this.#child;
    if (child === undefined) return;
    const closed = new Promise((resolve) => child.once("close", resolve));
    child.stdin.end();
    await closed;
  }

  /** Starts the program and asks it everything that is not answered yet. */
  #start(): void {
    const child = spawn(this.#binary, [`-hang=${this.#hangMs}ms`]);
    this.#child = child;
    let rest = "";
    let complaint = "";
    let hung = false;
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const answer = JSON.parse(line) as ReferenceAnswer;
        hung ||= answer.verdict === "hang";
        this.#waiting.shift()?.answer(answer);
      }
    });
    // The trace of a stack overflow has thousands of lines; its first says what happened.
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      if (complaint.length < 1_000) complaint += chunk;
    });
    // A program that ended cannot be written to; what was not answered is asked again.
    child.stdin.on("error", () => {});
    child.on("close", () => {
      this.#child = undefined;
      if (!hung && !this.#closing) {
        const message = complaint.split("\n").find((line) => /^(panic|fatal error):/.test(line)) ?? complaint;
        this.#waiting.shift()?.answer({ verdict: "crash", message });
      }
      if (this.#waiting.length > 0) this.#start();
    });
    for (const question of this.#waiting) child.stdin.write(question.line);
  }
}
