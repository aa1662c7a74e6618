/** The body of a call: as fields, or as the JSON that they are. */
import { type Draft, draftOfJson, firstDraft } from "../form/draft.ts";
import { type FieldFaults, type Wire, wireOf } from "../form/wire.ts";
import { JsonFault, type JsonNode, parseJson, printJson } from "../json/node.ts";
import type { Schema } from "../schema/ir.ts";
import type { Shape } from "../schema/shape.ts";
import { Fault, StructFields } from "./field.tsx";

export type Form =
  | { readonly kind: "form"; readonly draft: Draft }
  | { readonly kind: "json"; readonly text: string };

export function firstForm(schema: Schema, shape: Shape, example: unknown): Form {
  if (example === undefined) return { kind: "form", draft: firstDraft(schema, shape) };
  return { kind: "form", draft: draftOfJson(schema, shape, parseJson(JSON.stringify(example))) };
}

const empty: JsonNode = { kind: "object", entries: [] };

export function bodyOf(schema: Schema, shape: Shape, form: Form): Wire {
  if (form.kind === "form") return wireOf(schema, shape, form.draft);
  try {
    return { node: parseJson(form.text), faults: new Map() };
  } catch (err) {
    if (!(err instanceof JsonFault)) throw err;
    return { node: empty, faults: new Map([["", `This is no JSON: ${err.message}.`]]) };
  }
}

interface BodyFormProps {
  readonly schema: Schema;
  readonly shape: Shape;
  readonly form: Form;
  readonly faults: FieldFaults;
  readonly onChange: (form: Form) => void;
}

export function BodyForm({ schema, shape, form, faults, onChange }: BodyFormProps) {
  const isEmpty = shape.kind === "struct" && shape.fields.length === 0;
  const body = bodyOf(schema, shape, form);
  const toggle = (): void => {
    if (form.kind === "form") onChange({ kind: "json", text: printJson(body.node) });
    else if (body.faults.size === 0) onChange({ kind: "form", draft: draftOfJson(schema, shape, body.node) });
  };
  return (
    <fieldset class="body">
      <legend>Body</legend>
      <button
        type="button"
        class="quiet is-toggle"
        onClick={toggle}
        disabled={form.kind === "json" && body.faults.size > 0}
      >
        {form.kind === "form" ? "Edit as JSON" : "Edit as form"}
      </button>
      {form.kind === "json" ? (
        <textarea
          id="body"
          aria-label="Body as JSON"
          spellcheck={false}
          rows={Math.min(24, form.text.split("\n").length + 1)}
          value={form.text}
          aria-invalid={faults.has("")}
          onInput={({ currentTarget }) => onChange({ kind: "json", text: currentTarget.value })}
        />
      ) : isEmpty ? (
        <p class="note">No fields.</p>
      ) : (
        <StructFields
          form={{ schema, faults }}
          shape={shape}
          draft={form.draft}
          path=""
          isOptional={false}
          onChange={(draft) => onChange({ kind: "form", draft })}
        />
      )}
      {form.kind === "json" && <Fault form={{ schema, faults }} path="" />}
    </fieldset>
  );
}
