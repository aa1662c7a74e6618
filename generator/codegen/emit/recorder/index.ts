import type { EmittedFile, Options } from "../../options.ts";
import { isOmitted, type Plan } from "../../plan/plan.ts";
import { contractExport } from "../imports.ts";
import { template } from "../render.ts";
import { header } from "../text.ts";
import ownTemplate from "./recorder.hbs";
import { viewRecording } from "./shapes.ts";

const print = template<object>(ownTemplate);

/** Emits `recorder.ts`: what a recording may contain. Emits nothing without a server. */
export function emitRecorder(plan: Plan, { templates }: Options): readonly EmittedFile[] {
  const services = plan.services.filter(({ methods }) => !methods.every(isOmitted));
  if (services.length === 0) return [];
  const view = {
    contractExport,
    firstLine: header(plan.schemaFile),
    ...viewRecording({ ...plan, services }),
  };
  return [{ path: "recorder.ts", text: print(view, templates.overrides) }];
}
