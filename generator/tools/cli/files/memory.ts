import type { Plan } from "../../../codegen/plan/plan.ts";
import { SurveyMemory } from "../../../handlers/survey/memory.ts";
import { type CompiledSchema, CompileMemory } from "../../../language/compile.ts";
import { FileMemory } from "./file-memory.ts";

/** What a process that stays remembers between its runs. Every run answers the same without it, and later. */
export class Memory {
  readonly files: FileMemory = new FileMemory();
  readonly compiled: CompileMemory = new CompileMemory();
  /** Of what was generated last. */
  readonly plans: WeakMap<CompiledSchema, Plan> = new WeakMap();
  readonly surveys: SurveyMemory = new SurveyMemory();
}
