import type { EnumModel } from "../../language/model/model.ts";
import type { SchemaItem } from "./findings.ts";
import { locationsOf } from "./sides.ts";
import type { Walk } from "./walk.ts";

/** The server rejects unknown values in requests. Clients pass on unknown values in responses, unless their enums are closed. */
export function compareEnums(walk: Walk, writer: EnumModel, reader: EnumModel, item: SchemaItem): void {
  const known = new Set(reader.values.map(({ wire }) => wire));
  for (const value of writer.values.filter(({ wire }) => !known.has(wire))) {
    const [callers, server] = walk.direction === "request" ? [value.at, undefined] : [undefined, value.at];
    const locations = locationsOf(walk.sides, callers, server, item.at);
    const rule = walk.direction === "request" ? "request-enum-value-rejected" : "response-enum-value-unknown";
    walk.findings.add(
      rule,
      { name: item.name, value: value.wire },
      { name: item.name, ...locations },
      `value:${value.wire}`,
    );
  }
  if (walk.direction === "request") compareNumbers(walk, writer, reader, item);
}

/** Requests may send the number of an enum value. A number with a new meaning is dangerous, because the call still succeeds. */
function compareNumbers({ findings }: Walk, callers: EnumModel, server: EnumModel, item: SchemaItem): void {
  if (callers.base === "string" || server.base === "string") return;
  const serverNames = namesByNumber(server);
  for (const [number, wire] of namesByNumber(callers)) {
    const serverName = serverNames.get(number);
    const isKnown = server.values.some((value) => value.wire === wire);
    if (serverName === wire || !isKnown) continue;
    const parameters = { name: item.name, number, callers: wire, server: serverName ?? "nothing" };
    findings.add("enum-number-changed", parameters, item, "numbers");
  }
}

/** If several values share a number, the first one counts. */
function namesByNumber({ values }: EnumModel): ReadonlyMap<string, string> {
  return new Map(values.map(({ value, wire }) => [value, wire] as const).reverse());
}
