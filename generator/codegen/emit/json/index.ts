import type { Plan } from "../../plan/plan.ts";
import type { EmittedFile } from "../emitter.ts";

/** Emits `schema.webrpc.json`: the IR, which all webrpc tools can read. */
export function emitJson({ irText }: Plan): readonly EmittedFile[] {
  return [{ path: "schema.webrpc.json", text: irText }];
}
