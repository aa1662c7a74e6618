import { existsSync, readFileSync } from "node:fs";
import type { ReferenceAnswer, ReferenceRequest } from "../support/reference.ts";

/** A schema and the recorded behaviour of the reference parser. */
export interface Case {
  readonly name: string;
  readonly request: ReferenceRequest;
  readonly verdict: ReferenceAnswer["verdict"];
  /** The parsed IR; only for "ok". */
  readonly ir?: unknown;
  /** Only for "ok". */
  readonly hash?: string;
}

/** The stored form. `source` is the text of m.ridl or m.json; imported files are in `files`. */
export interface RecordedCase {
  readonly name: string;
  readonly kind: ReferenceRequest["kind"];
  readonly source: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly ok: boolean;
  readonly error?: string;
  readonly verdict?: "crash" | "hang";
  readonly ir?: unknown;
  readonly hash?: string;
}

export function allCases(): readonly Case[] {
  return [...readCases("ridl-cases.json"), ...readCases("more-cases.json")];
}

export function readCases(fileName: string): readonly Case[] {
  const url = new URL(fileName, import.meta.url);
  if (!existsSync(url)) return [];
  const { cases } = JSON.parse(readFileSync(url, "utf8")) as { readonly cases: readonly RecordedCase[] };
  return cases.map((recorded) => ({
    name: recorded.name,
    request: requestOf(recorded),
    verdict: verdictOf(recorded),
    ...(recorded.ok ? { ir: recorded.ir } : {}),
    ...(recorded.hash === undefined ? {} : { hash: recorded.hash }),
  }));
}

/** ridl-cases.json says it in words, more-cases.json by `verdict`. */
function verdictOf({ ok, verdict, error = "" }: RecordedCase): Case["verdict"] {
  if (ok) return "ok";
  if (error.startsWith("HANG")) return "hang";
  return error.startsWith("PANIC") ? "crash" : (verdict ?? "error");
}

export function requestOf(given: Pick<RecordedCase, "kind" | "source" | "files">): ReferenceRequest {
  const path = given.kind === "ridl" ? "m.ridl" : "m.json";
  return { kind: given.kind, path, files: { [path]: given.source, ...given.files } };
}

type ParserDifference = "crash" | "hang" | "mojibake" | "newer";

/**
 * Between servers: Go accepts a value that is rejected here, rejects one that is accepted here, or responds with another value.
 */
export type WireDifference = "go-lenient" | "go-strict" | "go-loses" | "go-form";

export interface KnownDifference {
  readonly name: string;
  readonly kind: ParserDifference | WireDifference;
}

/** One `name kind: why` per line; blank lines and lines that start with "#" are skipped. */
export function readKnownDifferences(): readonly KnownDifference[] {
  const text = readFileSync(new URL("../known-differences.txt", import.meta.url), "utf8");
  return text
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, name, kind] =
        /^(\S+) (crash|hang|mojibake|newer|go-lenient|go-strict|go-loses|go-form): \S/.exec(line) ?? [];
      if (name === undefined || kind === undefined)
        throw new Error(`known-differences.txt: cannot read "${line}"`);
      return { name, kind: kind as KnownDifference["kind"] };
    });
}
