import { isOmitted, type Plan } from "../../plan/plan.ts";
import type { EmittedFile } from "../emitter.ts";
import { type Overrides, template } from "../render.ts";
import { header } from "../text.ts";
import ownTemplate from "./recorder.hbs";
import { viewRecording } from "./shapes.ts";

const print = template<object>(ownTemplate);

/** `recorder.ts`: what a recording of calls may hold. Nothing where there is no server. */
export function emitRecorder(plan: Plan, overrides?: Overrides): readonly EmittedFile[] {
  const services = plan.services.filter(({ methods }) => !methods.every(isOmitted));
  if (services.length === 0) return [];
  const view = { firstLine: header(plan.schemaFile), ...viewRecording({ ...plan, services }) };
  return [{ path: "recorder.ts", text: print(view, overrides) }];
}
