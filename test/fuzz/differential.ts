import type { IrSchema } from "../../generator/language/ir/schema.ts";
import { answerOurselves, describeDifference } from "../support/compare.ts";
import type { Files } from "../support/memory-reader.ts";
import type { Random } from "../support/random.ts";
import type { Reference, ReferenceAnswer, ReferenceRequest } from "../support/reference.ts";
import { mutate } from "./mutate.ts";
import { randomFilter } from "./random-filter.ts";
import { mutateIr } from "./random-ir.ts";
import { randomSchema } from "./random-schema.ts";
import { shrinkFiles } from "./shrink.ts";
import { startWatchdog, type Watchdog } from "./watchdog.ts";

export interface Finding {
  readonly request: ReferenceRequest;
  readonly difference: string;
  /** Number of inputs with this difference. */
  count: number;
}

export interface DifferentialRun {
  readonly random: Random;
  readonly reference: Reference;
  readonly corpus: readonly ReferenceRequest[];
  readonly count: number;
  readonly onProgress?: (tally: Tally) => void;
}

/** Number of inputs per verdict of the reference. */
export type Tally = Readonly<Record<ReferenceAnswer["verdict"], number>>;

/** Concurrent calls: enough to keep the reference busy, few enough to repeat after a crash. */
const batchSize = 128;
/** IRs stored as material for IR JSON inputs. */
const poolSize = 500;

/** Runs both sides on the same random inputs. Reports each kind of difference once, with a minimized example. */
export async function findDifferences(
  run: DifferentialRun,
): Promise<{ findings: readonly Finding[]; tally: Tally }> {
  using watchdog = startWatchdog();
  const tally = { ok: 0, error: 0, crash: 0, hang: 0 };
  const findings = new Map<string, Finding>();
  const pool: string[] = [];
  for (let done = 0; done < run.count; done += batchSize) {
    const requests = Array.from({ length: Math.min(batchSize, run.count - done) }, () =>
      randomRequest(run, pool),
    );
    const theirs = requests.map((request) => run.reference.ask(request));
    for (const [index, request] of requests.entries()) {
      // Lets the calls proceed while this side computes its results.
      if (index % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
      watchdog.look(JSON.stringify(request));
      const ours = answerOurselves(request, { hashParity: true });
      const answer = (await theirs[index]) as ReferenceAnswer;
      tally[answer.verdict]++;
      if (answer.verdict === "ok") pool[run.random.below(poolSize)] = answer.ir;
      const difference = judge(request, ours, answer);
      if (difference === undefined) continue;
      const known = findings.get(kindOf(difference));
      if (known === undefined) findings.set(kindOf(difference), { request, difference, count: 1 });
      else known.count++;
    }
    run.onProgress?.(tally);
  }
  const shrunk: Finding[] = [];
  for (const finding of findings.values()) {
    const smaller = await shrink(run.reference, finding, watchdog);
    if (smaller !== undefined) shrunk.push(smaller);
  }
  return { findings: shrunk, tally };
}

/** The reference overflows its stack when it tree-shakes a recursive struct, so any result is fine here. */
function judge(
  request: ReferenceRequest,
  ...[ours, theirs]: Parameters<typeof describeDifference>
): string | undefined {
  // The reference cannot find a file or a type whose name it has garbled; known-differences.txt has a case of each.
  if (ours.verdict === "ok" && theirs.verdict === "error" && garbled.test(theirs.message)) return undefined;
  // The recorded reference knows no keys on values of enums; known-differences.txt has a case.
  if (ours.verdict === "ok" && theirs.verdict === "error" && hasEnumKeys(ours.ir)) return undefined;
  // It reads a declaration behind a method as a part of the method; known-differences.txt has a case.
  if (ours.verdict === "ok" && theirs.verdict === "error" && ours.codes.includes("RK128")) return undefined;
  // It writes an alias of an enum as the key of a map, and does not read it again.
  if (ours.verdict === "ok" && theirs.verdict === "error" && keyOfAlias.test(theirs.message))
    return undefined;
  const crashed = theirs.verdict === "crash" || theirs.verdict === "hang";
  if (crashed && request.filter?.methodTreeShake === true && ours.verdict !== "thrown") return undefined;
  return describeDifference(ours, theirs);
}

function hasEnumKeys(ir: string): boolean {
  const { types } = JSON.parse(ir) as Pick<IrSchema, "types">;
  return (types ?? []).some(
    ({ kind, fields }) => kind === "enum" && fields?.some((value) => value?.meta !== undefined),
  );
}

/** A non-ASCII letter whose UTF-8 bytes were read as letters: "é" → "Ã©". */
const garbled = /[\u00c2-\u00f4][\u0080-\u00bf]/;

const keyOfAlias = /invalid map key '\w+' for/;

/** Maps differences of one kind to one text: removes names, numbers and the reference's words for JSON of the wrong kind. */
function kindOf(difference: string): string {
  const [first = "", ours = "", theirs = ""] = difference.split("\n");
  const message = first
    .replace(/'[^']*'|"(?:[^"\\]|\\.)*"|\d+/g, "_")
    .replace(/cannot unmarshal.*/, "cannot unmarshal");
  // For two lines of IR, the key decides the kind.
  return message + [ours, theirs].map((line) => /^\S+\s+"\w+"|\W*/.exec(line)?.[0]).join();
}

/** Undefined if the difference does not recur: on a busy machine a slow response looks like a hang. */
async function shrink(
  reference: Reference,
  finding: Finding,
  watchdog: Watchdog,
): Promise<Finding | undefined> {
  const kind = kindOf(finding.difference);
  const differ = async (request: ReferenceRequest): Promise<string | undefined> => {
    watchdog.look(JSON.stringify(request));
    return judge(request, answerOurselves(request, { hashParity: true }), await reference.ask(request));
  };
  if ((await differ(finding.request)) === undefined) return undefined;
  const files = await shrinkFiles(finding.request.files, async (candidate) => {
    const difference = await differ({ ...finding.request, files: candidate });
    return difference !== undefined && kindOf(difference) === kind;
  });
  const request = { ...finding.request, files };
  return { ...finding, request, difference: (await differ(request)) ?? finding.difference };
}

function randomRequest({ random, corpus }: DifferentialRun, pool: readonly string[]): ReferenceRequest {
  const request = withoutHangs(random, randomInput(random, corpus, pool));
  return random.chance(15) ? { ...request, filter: randomFilter(random, request.files) } : request;
}

function randomInput(
  random: Random,
  corpus: readonly ReferenceRequest[],
  pool: readonly string[],
): ReferenceRequest {
  const choice = random.below(100);
  if (choice < 15) return { kind: "ridl", ...randomSchema(random) };
  const irs = pool.filter((ir) => ir !== undefined);
  if (choice < 27 && irs.length > 0) {
    return {
      kind: "ir-json",
      path: "m.json",
      files: { "m.json": mutateIr(random, random.pick(irs), random.below(3)) },
    };
  }
  const request: ReferenceRequest =
    choice < 45 || corpus.length === 0 ? { kind: "ridl", ...randomSchema(random) } : random.pick(corpus);
  return { ...request, files: mutateFiles(random, request.files) };
}

function mutateFiles(random: Random, files: Files): Files {
  const changed = { ...files };
  for (let changes = 1 + random.below(3); changes > 0; changes--) {
    const path = random.pick(Object.keys(changed));
    changed[path] = mutate(random, changed[path] ?? "");
  }
  return changed;
}

/** The reference hangs on "@" before anything but a word. One such input in a hundred is enough, since each costs a timeout. */
function withoutHangs(random: Random, request: ReferenceRequest): ReferenceRequest {
  if (request.kind !== "ridl" || random.chance(1)) return request;
  const files = Object.entries(request.files).map(([path, text]) => [path, text.replace(/@(?!\w)/g, "@a")]);
  return { ...request, files: Object.fromEntries(files) };
}
