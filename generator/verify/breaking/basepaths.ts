import type { Findings } from "./findings.ts";
import type { Sides } from "./sides.ts";

export function compareBasepaths(sides: Sides, findings: Findings): void {
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
