/** Input for a single value: a text field or a choice. */
import type { Draft } from "../form/draft.ts";
import type { FieldErrors } from "../form/request-body.ts";
import { plainText, type Schema } from "../schema/ir.ts";
import type { Shape } from "../schema/shape.ts";
import { FilePreview } from "./parts.tsx";

export function ScalarInput({ form, shape, draft, path, isOptional, label, onChange }: ValueProps) {
  if (shape.kind === "file") return <FileInput path={path} draft={draft} label={label} onChange={onChange} />;
  const text = draft.kind === "text" ? draft.text : "";
  const isWrong = form.errors.has(path);
  const shared = {
    id: path,
    name: path,
    value: text,
    "aria-invalid": isWrong,
    "aria-describedby": isWrong ? `${path}:fault ${path}:note` : `${path}:note`,
    "aria-required": !isOptional,
    "aria-label": label,
  };
  const change = (changed: string): void => onChange({ kind: "text", text: changed });
  const choices = choicesOf(shape);
  if (choices !== undefined) {
    const isListed = choices.some(({ value }) => value === text);
    return (
      <select {...shared} onChange={({ currentTarget }) => change(currentTarget.value)}>
        {isOptional && <option value="">not set</option>}
        {!isListed && text !== "" && <option value={text}>{text}</option>}
        {!isListed && text === "" && !isOptional && <option value="">choose</option>}
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  const input = {
    ...shared,
    placeholder: isOptional ? placeholderOf(shape) : "",
    spellcheck: false,
    autocomplete: "off" as const,
  };
  if (shape.kind === "any" || text.length > 160 || text.includes("\n")) {
    const rows = Math.min(12, Math.max(2, text.split("\n").length, Math.ceil(text.length / 80)));
    return <textarea {...input} rows={rows} onInput={({ currentTarget }) => change(currentTarget.value)} />;
  }
  const isNumber = shape.kind === "integer" || shape.kind === "decimal" || shape.kind === "bigint";
  return (
    <input
      {...input}
      {...(shape.meta["secret"] === undefined ? { type: "text" as const } : { type: "password" as const })}
      inputmode={isNumber ? "decimal" : "text"}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

function choicesOf(shape: Shape): readonly { readonly value: string; readonly label: string }[] | undefined {
  if (shape.kind === "bool") return ["true", "false"].map((value) => ({ value, label: value }));
  if (shape.kind !== "enum") return undefined;
  return shape.values.map(({ wire, comments: [first] }) => ({
    value: wire,
    label: first === undefined ? wire : `${wire} — ${plainText(first)}`,
  }));
}

function placeholderOf({ meta }: Shape): string {
  return meta["example"] ?? meta["default"] ?? "";
}

/* Chooses a file to upload. */

interface FileInputProps extends Pick<ValueProps, "path" | "draft" | "onChange"> {
  readonly label: string | undefined;
}

function FileInput({ path, draft, label, onChange }: FileInputProps) {
  return (
    <>
      <input
        type="file"
        id={path}
        name={path}
        aria-describedby={`${path}:note`}
        aria-label={label}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          onChange(file === undefined ? { kind: "text", text: "" } : { kind: "file", file });
        }}
      />
      {draft.kind === "file" && <FilePreview blob={draft.file} name={draft.file.name} />}
    </>
  );
}

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
