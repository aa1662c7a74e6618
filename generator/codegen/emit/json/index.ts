import type { Plan } from "../../plan/plan.ts";
import type { EmittedFile } from "../emitter.ts";

/** `schema.webrpc.json`: the IR, as every tool of webrpc reads it. */
export function emitJson({ irText }: Plan): readonly EmittedFile[] {
  return [{ path: "schema.webrpc.json", text: irText }];
}
