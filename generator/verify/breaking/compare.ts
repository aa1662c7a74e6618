import { sortDiagnostics } from "../../language/compile.ts";
import type { Model } from "../../language/model/model.ts";
import { compareErrorDeclarations } from "./errors.ts";
import { type BreakingFinding, Findings } from "./findings.ts";
import { compareMethod, pairMethods } from "./methods.ts";
import { compareQueryNames } from "./routes.ts";
import { type Sides, sidesOf } from "./sides.ts";
import { nothingUnchanged, type Unchanged } from "./unchanged.ts";
import { compareReferenced } from "./values.ts";
import { drain, type Walk } from "./walk.ts";

export interface Versions {
  readonly before: Model;
  readonly now: Model;
  /** Which side is deployed first. `servers`: old callers meet a new server. `callers`: new callers meet the old server. */
  readonly first: "servers" | "callers";
  /** Declarations to skip, for speed only: the findings are the same without it. */
  readonly unchanged?: Unchanged | undefined;
}

/**
 * Finds what breaks, or may break, if one side of a contract is deployed before the other. Each change is one finding, located in
 * the new version, with a note that points to the old one.
 */
export function findBreaks({
  before,
  now,
  first,
  unchanged = nothingUnchanged,
}: Versions): readonly BreakingFinding[] {
  const sides =
    first === "servers"
      ? sidesOf(before, now, "server", unchanged)
      : sidesOf(now, before, "callers", unchanged);
  const findings = new Findings();
  const walks = {
    request: { sides, findings, direction: "request", seen: new Set(), queue: [] },
    response: { sides, findings, direction: "response", seen: new Set(), queue: [] },
  } satisfies Record<string, Walk>;
  compareBasepaths(sides, findings);
  compareErrorDeclarations(sides, findings);
  const { pairs, unchangedServices } = pairMethods(sides, findings);
  for (const pair of pairs) compareMethod(walks, pair);
  compareQueryNames(sides, findings);
  for (const { item, request, response } of unchangedServices) {
    for (const name of request) compareReferenced(walks.request, name, item);
    for (const name of response) compareReferenced(walks.response, name, item);
  }
  for (const walk of Object.values(walks)) drain(walk);
  return sortDiagnostics(findings.all());
}

function compareBasepaths(sides: Sides, findings: Findings): void {
  const { callers, server, newSide } = sides;
  if (callers.basepath === server.basepath || callers.services.length === 0) return;
  const model = newSide === "server" ? server : callers;
  const file = (model.services[0] ?? callers.services[0])?.at.file;
  if (file === undefined) return;
  const line = /^[ \t]*basepath\b.*$/m.exec(file.text);
  const start = line?.index ?? 0;
  const span = { start, end: start + (line?.[0].length ?? 0) };
  const parameters = { callers: callers.basepath, server: server.basepath };
  findings.add("basepath-changed", parameters, { name: "basepath", at: { file, span } }, "basepath");
}
