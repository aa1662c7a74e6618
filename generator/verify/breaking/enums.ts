import type { EnumModel } from "../../language/model/model.ts";
import type { SchemaItem } from "./findings.ts";
import { locationsOf } from "./sides.ts";
import type { Walk } from "./walk.ts";

/** What callers send and the server does not know is refused; what the server answers and callers do not know is passed on to them. */
export function compareEnums(walk: Walk, writer: EnumModel, reader: EnumModel, site: SchemaItem): void {
  const known = new Set(reader.values.map(({ wire }) => wire));
  for (const value of writer.values.filter(({ wire }) => !known.has(wire))) {
    const [callers, server] = walk.direction === "request" ? [value.at, undefined] : [undefined, value.at];
    const places = locationsOf(walk.sides, callers, server, site.at);
    const rule = walk.direction === "request" ? "request-enum-value-refused" : "response-enum-value-unknown";
    walk.findings.add(
      rule,
      { name: site.name, value: value.wire },
      { name: site.name, ...places },
      `value:${value.wire}`,
    );
  }
  if (walk.direction === "request") compareNumbers(walk, writer, reader, site);
}

/** Requests may name an entry of an integer enum by its number: one that means another now is the worst of changes. */
function compareNumbers({ findings }: Walk, callers: EnumModel, server: EnumModel, site: SchemaItem): void {
  if (callers.base === "string" || server.base === "string") return;
  const meant = namesByNumber(server);
  for (const [number, wire] of namesByNumber(callers)) {
    const now = meant.get(number);
    const isKnown = server.values.some((value) => value.wire === wire);
    if (now === wire || !isKnown) continue;
    const parameters = { name: site.name, number, callers: wire, server: now ?? "nothing" };
    findings.add("enum-number-changed", parameters, site, "numbers");
  }
}

/** A number that entries share is read as the first of them. */
function namesByNumber({ values }: EnumModel): ReadonlyMap<string, string> {
  return new Map(values.map(({ value, wire }) => [value, wire] as const).reverse());
}
