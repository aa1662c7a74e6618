import type { Draft } from "../form/draft.ts";
import type { FieldErrors } from "../form/request-body.ts";
import type { Schema } from "../schema/ir.ts";
import type { Shape } from "../schema/shape.ts";

/** State that all fields of a form share. */
export interface FormContext {
  readonly schema: Schema;
  readonly errors: FieldErrors;
}

export interface ValueProps {
  readonly form: FormContext;
  readonly shape: Shape;
  readonly draft: Draft;
  /** JSON Pointer of the field in the body; also its element ID. */
  readonly path: string;
  readonly isOptional: boolean;
  /** The label of an entry of a list or map, which has no label element. */
  readonly label?: string;
  readonly onChange: (draft: Draft) => void;
}
