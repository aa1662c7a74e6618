/** The body of a call, edited as form fields or as JSON. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import {
  absent,
  type Draft,
  draftOfJson,
  fieldsOfKind,
  firstDraft,
  isBlank,
  newDraft,
  withField,
} from "../form/draft.ts";
import { hintOf } from "../form/hint.ts";
import { escapePointer, type FieldErrors, type RequestBody, requestBody } from "../form/request-body.ts";
import { type JsonNode, JsonSyntaxError, parseJson, printJson } from "../json/node.ts";
import type { Schema } from "../schema/ir.ts";
import { type Field, hasParts, type Shape, shapeOf } from "../schema/shape.ts";
import { DeprecatedMark, Docs, TypeName } from "./parts.tsx";
import { type FormContext, ScalarInput, type ValueProps } from "./scalar-input.tsx";

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

function StructFields({ form, shape, draft, path, onChange }: ValueProps) {
  if (shape.kind !== "struct") return null;
  const fields = draft.kind === "struct" ? draft.fields : {};
  const isFilled = ({ name }: Field): boolean => !isBlank(fields[name] ?? absent);
  // A field stays in its place while it is filled in.
  const [filledFirst] = useState(() => shape.fields.filter(isFilled).map(({ name }) => name));
  const all = fieldsOfKind(shape.fields, fields);
  const isFolded = ({ name, isOptional, group }: Field): boolean =>
    isOptional && group === undefined && !filledFirst.includes(name);
  const row = (field: Field) => (
    <FieldRow
      key={field.name}
      form={form}
      field={field}
      path={`${path}/${escapePointer(field.name)}`}
      draft={fields[field.name] ?? absent}
      onChange={(changed) => onChange(withField(shape.fields, fields, field, changed))}
    />
  );
  const folded = all.filter(isFolded);
  return (
    <div class="fields">
      {requiredFirst(all.filter((field) => !isFolded(field))).map(row)}
      {folded.length > 0 && (
        <details class="optional">
          <summary>
            Optional <span class="hint">{listedNames(folded)}</span>
          </summary>
          <div class="fields">{folded.map(row)}</div>
        </details>
      )}
    </div>
  );
}

function requiredFirst(fields: readonly Field[]): readonly Field[] {
  return [...fields].sort((one, other) => Number(one.isOptional) - Number(other.isOptional));
}

/** Number of names that are listed. */
const listedMax = 5;

function listedNames(fields: readonly Field[]): string {
  const names = fields.slice(0, listedMax).map(({ name }) => name);
  const others = fields.length - listedMax;
  return `${names.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}

interface FieldRowProps {
  readonly form: FormContext;
  readonly field: Field;
  readonly path: string;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

/** A form field of any type, with the fields inside it. */
function FieldRow({ form, field, path, draft, onChange }: FieldRowProps) {
  const { name, reference, isOptional, comments } = field;
  const shape = shapeOf(form.schema, reference);
  const isNested = hasParts(shape);
  const value = (
    <Value form={form} shape={shape} draft={draft} path={path} isOptional={isOptional} onChange={onChange} />
  );
  const notes = (
    <>
      {comments.length > 0 && (
        <div class="note">
          <Docs comments={comments} />
        </div>
      )}
      <Hint shape={shape} comments={comments} />
    </>
  );
  if (!isNested) {
    return (
      <div class="field">
        <div class="label">
          <label for={path}>{name}</label>
          <FieldType form={form} field={field} />
        </div>
        {value}
        <FieldError form={form} path={path} />
        <div id={`${path}:note`}>{notes}</div>
      </div>
    );
  }
  return (
    <fieldset class="field is-nested" id={path} tabIndex={-1} aria-describedby={`${path}:note`}>
      <legend class="label">
        <span class="name">{name}</span>
        <FieldType form={form} field={field} />
      </legend>
      <div id={`${path}:note`}>{notes}</div>
      <FieldError form={form} path={path} />
      {draft.kind === "absent" ? (
        <button type="button" class="quiet" onClick={() => onChange(newDraft(form.schema, reference))}>
          Add {name}
        </button>
      ) : (
        <>
          {value}
          {isOptional && (
            <button type="button" class="quiet" onClick={() => onChange(absent)}>
              Remove {name}
            </button>
          )}
        </>
      )}
    </fieldset>
  );
}

function FieldType({ form, field }: { readonly form: FormContext; readonly field: Field }) {
  const { reference, isOptional, group } = field;
  const need = group === undefined ? (isOptional ? "optional" : "required") : `one of ${group}`;
  return (
    <>
      <TypeName schema={form.schema} type={reference.type} />
      <span class={need === "required" ? "need is-needed" : "need"}>{need}</span>
      <DeprecatedMark meta={reference.meta} />
    </>
  );
}

function Hint({ shape, comments }: { readonly shape: Shape } & Pick<Field, "comments">) {
  const hint = hintOf(shape, comments.join(" "));
  return hint === "" ? null : <p class="hint">{hint}</p>;
}

function FieldError({ form, path }: { readonly form: FormContext; readonly path: string }) {
  const message = form.errors.get(path);
  return message === undefined ? null : (
    <p class="fault" id={`${path}:fault`}>
      {message}
    </p>
  );
}

function Value(props: ValueProps): ComponentChildren {
  const { shape, draft } = props;
  // A pasted body may contain a string where the schema has a struct, list or map: show the string.
  const isMismatch = hasParts(shape) && draft.kind === "text";
  if (isMismatch) return <ScalarInput {...props} shape={{ kind: "any", meta: {} }} />;
  switch (shape.kind) {
    case "struct":
      return <StructFields {...props} />;
    case "list":
      return <ListItems {...props} />;
    case "map":
      return <MapEntries {...props} />;
    default:
      return <ScalarInput {...props} />;
  }
}

function ListItems({ form, shape, draft, path, onChange }: ValueProps) {
  if (shape.kind !== "list") return null;
  const items = draft.kind === "list" ? draft.items : [];
  const item = shapeOf(form.schema, shape.item);
  const change = (changed: readonly Draft[]): void => onChange({ kind: "list", items: changed });
  const title = path.slice(path.lastIndexOf("/") + 1);
  return (
    <div class="entries">
      {items.map((one, index) => (
        <fieldset class="entry" key={index} aria-label={`${title} ${index + 1}`}>
          <Value
            form={form}
            shape={item}
            draft={one}
            path={`${path}/${index}`}
            label={`${title} ${index + 1}`}
            isOptional={false}
            onChange={(changed) => change(items.with(index, changed))}
          />
          <FieldError form={form} path={`${path}/${index}`} />
          <Remove what={`${title} ${index + 1}`} onClick={() => change(items.toSpliced(index, 1))} />
        </fieldset>
      ))}
      <button
        type="button"
        class="quiet"
        onClick={() => change([...items, newDraft(form.schema, shape.item)])}
      >
        Add to {title}
      </button>
    </div>
  );
}

function MapEntries({ form, shape, draft, path, onChange }: ValueProps) {
  if (shape.kind !== "map") return null;
  const entries = draft.kind === "map" ? draft.entries : [];
  const value = shapeOf(form.schema, shape.value);
  const title = path.slice(path.lastIndexOf("/") + 1);
  const change = (changed: typeof entries): void => onChange({ kind: "map", entries: changed });
  return (
    <div class="entries">
      {entries.map((entry, index) => {
        const at = `${path}/${escapePointer(entry.key)}`;
        return (
          <fieldset class="entry is-pair" key={index} aria-label={`${title} ${index + 1}`}>
            <input
              type="text"
              aria-label={`Key ${index + 1} of ${title}`}
              placeholder="key"
              value={entry.key}
              onInput={({ currentTarget }) =>
                change(entries.with(index, { ...entry, key: currentTarget.value }))
              }
            />
            <div>
              <Value
                form={form}
                shape={value}
                draft={entry.value}
                path={at}
                label={`Value ${index + 1} of ${title}`}
                isOptional={false}
                onChange={(changed) => change(entries.with(index, { ...entry, value: changed }))}
              />
              <FieldError form={form} path={at} />
            </div>
            <Remove what={`${title} ${index + 1}`} onClick={() => change(entries.toSpliced(index, 1))} />
          </fieldset>
        );
      })}
      <button
        type="button"
        class="quiet"
        onClick={() => change([...entries, { key: "", value: newDraft(form.schema, shape.value) }])}
      >
        Add to {title}
      </button>
    </div>
  );
}

function Remove({ what, onClick }: { readonly what: string; readonly onClick: () => void }) {
  return (
    <button type="button" class="quiet is-remove" aria-label={`Remove ${what}`} onClick={onClick}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M4 4l8 8M12 4l-8 8" />
      </svg>
    </button>
  );
}
