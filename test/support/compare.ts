import { compile } from "../../generator/language/compile.ts";
import { filterIr, type IrFilter, parseAnnotationFilter } from "../../generator/language/ir/filter.ts";
import { hashIr, writeIr } from "../../generator/language/ir/write.ts";
import { memoryReader } from "./memory-reader.ts";
import type { FilterFlags, ReferenceAnswer, ReferenceRequest } from "./reference.ts";

export type OurAnswer =
  | { readonly verdict: "ok"; readonly ir: string; readonly hash: string; readonly codes: readonly string[] }
  | { readonly verdict: "error"; readonly codes: readonly string[] }
  /** Our bug, whatever the input is. */
  | { readonly verdict: "thrown"; readonly message: string };

/** What ridlkit makes of the question that the reference parser is asked. */
export function answerOurselves(
  request: ReferenceRequest,
  options: { readonly hashParity?: boolean } = {},
): OurAnswer {
  try {
    const { result, diagnostics } = compile(request.path, memoryReader(request.files), {
      ...options,
      // Meta that the reference ignores is rejected otherwise.
      lenient: true,
    });
    if (result === undefined) {
      const errors = diagnostics.filter(({ severity }) => severity === "error");
      if (errors.length === 0) return { verdict: "thrown", message: "no result, and no error that says why" };
      return { verdict: "error", codes: errors.map(({ code }) => code) };
    }
    const ir = writeIr(
      request.filter === undefined ? result.ir : filterIr(result.ir, readFlags(request.filter)),
    );
    return { verdict: "ok", ir, hash: hashIr(ir), codes: diagnostics.map(({ code }) => code) };
  } catch (error) {
    return {
      verdict: "thrown",
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

/** One sentence on how the answers differ; undefined if they agree. A crash and a hang of theirs agree with an error of ours. */
export function describeDifference(ours: OurAnswer, theirs: ReferenceAnswer): string | undefined {
  if (ours.verdict === "thrown") return `ridlkit throws: ${ours.message}`;
  if (ours.verdict === "error") {
    return theirs.verdict === "ok"
      ? `ridlkit refuses (${ours.codes.join(" ")}), the reference accepts`
      : undefined;
  }
  if (theirs.verdict === "hang") return "ridlkit accepts, the reference hangs";
  if (theirs.verdict !== "ok")
    return `ridlkit accepts, the reference says ${theirs.verdict}: ${theirs.message}`;
  if (ours.ir !== theirs.ir) return `the IR differs: ${firstDifferentLine(ours.ir, theirs.ir)}`;
  return ours.hash === theirs.hash ? undefined : "the IR is equal and the hash differs";
}

function firstDifferentLine(ours: string, theirs: string): string {
  const ourLines = ours.split("\n");
  const theirLines = theirs.split("\n");
  const at = ourLines.findIndex((line, index) => line !== theirLines[index]);
  return `line ${at + 1}\nridlkit   ${ourLines[at]}\nreference ${theirLines[at]}`;
}

/** As the command line reads them: `{ service: "A,B", match: "@acl:admin" }` → services A and B, match acl → admin. */
function readFlags(flags: FilterFlags): IrFilter {
  const ignore = readAnnotations(flags.ignore);
  const match = readAnnotations(flags.match);
  return {
    ...(flags.schemaVersion === undefined ? {} : { schemaVersion: flags.schemaVersion }),
    ...(flags.service === undefined || flags.service === "" ? {} : { services: flags.service.split(",") }),
    ...(flags.methodTreeShake === undefined ? {} : { methodTreeShake: flags.methodTreeShake }),
    ...(ignore === undefined ? {} : { ignore }),
    ...(match === undefined ? {} : { match }),
  };
}

function readAnnotations(list: string | undefined): ReadonlyMap<string, string> | undefined {
  return list === undefined || list === "" ? undefined : parseAnnotationFilter(list);
}
