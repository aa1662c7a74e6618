import type { Draft } from "../form/draft.ts";
import type { FieldFaults } from "../form/wire.ts";
import type { Schema } from "../schema/ir.ts";
import type { Shape } from "../schema/shape.ts";

/** What all fields of a form share. */
export interface FormContext {
  readonly schema: Schema;
  readonly faults: FieldFaults;
}

export interface ValueProps {
  readonly form: FormContext;
  readonly shape: Shape;
  readonly draft: Draft;
  /** JSON Pointer: the field's place in the body, and its id on the page. */
  readonly path: string;
  readonly isOptional: boolean;
  readonly onChange: (draft: Draft) => void;
}
