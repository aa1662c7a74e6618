/** The body of a call, edited as form fields or as JSON. */
import { type Draft, draftOfJson, firstDraft } from "../form/draft.ts";
import { type FieldErrors, type RequestBody, requestBody } from "../form/request-body.ts";
import { type JsonNode, JsonSyntaxError, parseJson, printJson } from "../json/node.ts";
import type { Schema } from "../schema/ir.ts";
import type { Shape } from "../schema/shape.ts";
import { FieldError, StructFields } from "./field.tsx";

export type Form =
  | { readonly kind: "form"; readonly draft: Draft }
  | { readonly kind: "json"; readonly text: string };

export function firstForm(schema: Schema, shape: Shape, example: unknown): Form {
  if (example === undefined) return { kind: "form", draft: firstDraft(schema, shape) };
  return { kind: "form", draft: draftOfJson(schema, shape, parseJson(JSON.stringify(example))) };
}

const empty: JsonNode = { kind: "object", entries: [] };

export function bodyOf(schema: Schema, shape: Shape, form: Form): RequestBody {
  if (form.kind === "form") return requestBody(schema, shape, form.draft);
  try {
    return { node: parseJson(form.text), errors: new Map(), files: [] };
  } catch (err) {
    if (!(err instanceof JsonSyntaxError)) throw err;
    return { node: empty, errors: new Map([["", `This is not valid JSON: ${err.message}.`]]), files: [] };
  }
}

interface BodyFormProps {
  readonly title: string;
  readonly schema: Schema;
  readonly shape: Shape;
  readonly form: Form;
  /** JSON cannot contain files. */
  readonly hasFiles: boolean;
  readonly errors: FieldErrors;
  readonly onChange: (form: Form) => void;
}

export function BodyForm({ title, schema, shape, form, hasFiles, errors, onChange }: BodyFormProps) {
  const isEmpty = shape.kind === "struct" && shape.fields.length === 0;
  const body = bodyOf(schema, shape, form);
  const toggle = (): void => {
    if (form.kind === "form") onChange({ kind: "json", text: printJson(body.node) });
    else if (body.errors.size === 0) onChange({ kind: "form", draft: draftOfJson(schema, shape, body.node) });
  };
  return (
    <fieldset class="body">
      <legend>{title}</legend>
      {!hasFiles && (
        <button
          type="button"
          class="quiet is-toggle"
          onClick={toggle}
          disabled={form.kind === "json" && body.errors.size > 0}
        >
          {form.kind === "form" ? "Edit as JSON" : "Edit as form"}
        </button>
      )}
      {form.kind === "json" ? (
        <textarea
          id="body"
          aria-label="Body as JSON"
          spellcheck={false}
          rows={Math.min(24, form.text.split("\n").length + 1)}
          value={form.text}
          aria-invalid={errors.has("")}
          onInput={({ currentTarget }) => onChange({ kind: "json", text: currentTarget.value })}
        />
      ) : isEmpty ? (
        <p class="note">No fields.</p>
      ) : (
        <StructFields
          form={{ schema, errors }}
          shape={shape}
          draft={form.draft}
          path=""
          isOptional={false}
          onChange={(draft) => onChange({ kind: "form", draft })}
        />
      )}
      {form.kind === "json" && <FieldError form={{ schema, errors }} path="" />}
    </fieldset>
  );
}
