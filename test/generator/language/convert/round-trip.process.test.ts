import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { convert, type SchemaFormat } from "../../../../generator/language/convert/convert.ts";
import { writeIr } from "../../../../generator/language/ir/write.ts";
import { allCases } from "../../../conformance/cases.ts";
import { type Files, memoryReader } from "../../../support/memory-reader.ts";

/**
 * Cases that cannot make the round trip, by cause. Each is reported at a position.
 * A comment with a control character, or with a carriage return, which ends a line in YAML: no YAML can hold it.
 * IR that cannot be parsed again: a service that is imported twice, a map without a value type, an alias whose target was not
 * imported.
 * A method named "stream" or "proxy", once the IR has dropped that it was a proxy.
 */
const refused: ReadonlySet<string> = new Set([
  "comment-text-29",
  "comment-text-42",
  "comment-text-43",
  "import-same-service-twice",
  "import-diamond-of-services",
  "import-diamond-of-services-with-own-service",
  "import-alias-as-key-without-its-enum",
  "import-alias-as-key-of-an-imported-struct-without-its-enum",
  "import-alias-without-its-target",
  "field-type-map-string-22",
  "argument-type-map-string-22",
  "method-proxy-twice",
  "method-proxy-stream",
]);

const accepted = allCases().filter(
  ({ verdict, request }) =>
    verdict === "ok" && compile(request.path, memoryReader(request.files)).result !== undefined,
);

describe("a schema that is converted through all formats", () => {
  const rounds = accepted.map(({ name, request }) => ({
    name,
    request,
    end: carry(request.path, request.files),
  }));

  test("stays the same at every step, for all RIDL of the corpus", () => {
    const ridl = rounds.filter(({ request }) => request.kind === "ridl");
    const unlike = ridl.filter(({ name, end }) => refused.has(name) !== (end !== undefined));
    expect(unlike.map(({ name, end }) => `${name}: ${end?.text ?? "gets round"}`)).toEqual([]);
    expect(ridl.length - refused.size).toBeGreaterThan(775);
  });

  test("stays the same or is rejected at a position, for all IR JSON of the corpus", () => {
    const unlike = rounds.filter(({ end }) => end !== undefined && !end.isTold);
    expect(unlike.map(({ name, end }) => `${name}: ${end?.text}`)).toEqual([]);
    const around = rounds.filter(({ request, end }) => request.kind !== "ridl" && end === undefined);
    expect(around.length).toBeGreaterThan(60);
  });

  const every = readFileSync(new URL("../../../openapi/every.ridl", import.meta.url), "utf8");
  const files = { ...schemaFiles(), "every.ridl": every };
  test.each(Object.keys(files).filter((path) => path.endsWith(".ridl")))("%s stays the same", (path) => {
    expect(carry(path, files)).toBeUndefined();
  });
});

interface End {
  readonly text: string;
  /** Whether the conversion stopped with an error that has a position, instead of a silent change. */
  readonly isTold: boolean;
}

/** RIDL → YAML → RIDL → IR JSON → RIDL, starting at the format of the case. Returns where it stopped early. */
function carry(path: string, files: Files): End | undefined {
  const ir = irOf(path, files);
  let at = path;
  let all: Files = files;
  let isMoved = false;
  for (const to of ["yaml", "ridl", "ir", "ridl"] as const) {
    const next = path.replace(/[^/]*$/, `carried.${endings[to]}`);
    const { text, diagnostics } = convert(at, memoryReader(all), { to, lossy: true, out: next });
    if (text === undefined) {
      const errors = diagnostics.filter(({ severity }) => severity === "error");
      const isTold = errors.length > 0 && errors.every((error) => error.at !== undefined);
      return {
        isTold,
        text: `${at} to ${to}: ${errors.map(({ code, message }) => `${code} ${message}`).join(" ")}`,
      };
    }
    all = { ...all, [next]: text };
    // RIDL orders types differently in one file than in several, which is reported.
    isMoved ||= diagnostics.some(({ name }) => name === "convert-order");
    const found = to === "ir" ? text : irOf(next, all);
    if (comparable(found, isMoved) !== comparable(ir, isMoved))
      return { isTold: false, text: `${at} to ${to}: the IR differs` };
    at = next;
  }
  return undefined;
}

const endings: Readonly<Record<SchemaFormat, string>> = { ridl: "ridl", yaml: "yaml", ir: "json" };

function irOf(path: string, files: Files): string {
  const { result } = compile(path, memoryReader(files));
  return result === undefined ? "refused" : writeIr(result.ir);
}

/** An IR file may have null for an empty list. */
function comparable(ir: string, isMoved: boolean): string {
  if (ir === "refused") return ir;
  const plain = JSON.parse(ir, (key, value: unknown) =>
    value !== null ? value : key === "annotations" ? {} : [],
  ) as {
    readonly types: readonly { readonly name: string }[];
  };
  const types = isMoved ? plain.types.toSorted((a, b) => (a.name < b.name ? -1 : 1)) : plain.types;
  return JSON.stringify({ ...plain, types });
}

function schemaFiles(): Record<string, string> {
  const root = fileURLToPath(new URL("../../../../schema/", import.meta.url));
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.(ridl|yaml)$/.test(path),
  );
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}
