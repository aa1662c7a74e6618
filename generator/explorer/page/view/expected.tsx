/** What the contract says about a response: an example, the fields with their docs, and each error of the method. */

import type { ComponentChildren } from "preact";
import type { JsonNode } from "../json/node.ts";
import { printJson } from "../json/node.ts";
import { dataTypes, errorsOf, type IrMethod, methodDocs, type Schema } from "../schema/ir.ts";
import { bodyShape, type Field, type Shape, shapeOf } from "../schema/shape.ts";
import { links } from "../state/route.ts";
import { JsonView } from "./json-view.tsx";
import { DeprecatedMark, Docs, marked, type Tab, TypeName, Unfold } from "./parts.tsx";

interface ExpectedProps {
  readonly schema: Schema;
  readonly method: IrMethod;
  /** An example of the response. Undefined until it is read. */
  readonly response: JsonNode | undefined;
  /** Calls the method so that it fails. Undefined if the host is no mock. */
  readonly onTry: ((error: string) => void) | undefined;
  /** Whether the shown error was asked for. */
  readonly isForced: boolean;
}

export interface Expected {
  readonly example: ComponentChildren;
  /** The fields and errors. */
  readonly tabs: readonly Tab[];
  /** When an error is returned, by its name. */
  readonly reasons: ReadonlyMap<string, string>;
}

export function expectedOf({ schema, method, response, onTry, isForced }: ExpectedProps): Expected {
  const { outputs } = method;
  const errors = errorsOf(schema, method);
  const shape = bodyShape(schema, method, outputs);
  const isFile = outputs.length === 1 && outputs[0]?.type === "file";
  const hasFields = !isFile && shape.kind === "struct" && shape.fields.length > 0;
  return {
    example: isFile ? (
      <p class="empty">A file.</p>
    ) : (
      response && <JsonView text={printJson(response)} label="example response" />
    ),
    tabs: [
      ...(hasFields
        ? [{ name: "fields", title: "Fields", content: <Fields schema={schema} shape={shape} isOpen /> }]
        : []),
      ...(errors.length > 0
        ? [
            {
              name: "errors",
              title: `Errors ${errors.length}`,
              content: <ErrorList schema={schema} errors={errors} onTry={onTry} />,
            },
          ]
        : []),
    ],
    reasons: isForced ? new Map() : methodDocs(schema, method).byError,
  };
}

interface ErrorListProps {
  readonly schema: Schema;
  readonly errors: ReturnType<typeof errorsOf>;
  readonly onTry: ExpectedProps["onTry"];
}

/** Each error of the method: its status, when it is returned, and its response. */
function ErrorList({ schema, errors, onTry }: ErrorListProps) {
  const data = dataTypes(schema.ir);
  return (
    <ul class="errors">
      {errors.map(({ name, code, httpStatus, message, when }) => (
        <li key={name}>
          <p class="error-name">
            <span class="need">{httpStatus}</span>
            <a href={links.error(name)}>{name}</a>
            {onTry !== undefined && (
              <button type="button" class="quiet" aria-label={`Try it: ${name}`} onClick={() => onTry(name)}>
                Try it
              </button>
            )}
          </p>
          <p>
            {marked(when)}
            {data.has(name) && (
              <>
                , with <TypeName schema={schema} type={data.get(name) ?? ""} />
              </>
            )}
          </p>
          <Unfold summary="Response">
            {() => (
              <JsonView
                text={JSON.stringify({ error: name, code, msg: message, status: httpStatus }, null, 2)}
                label={`example of ${name}`}
              />
            )}
          </Unfold>
        </li>
      ))}
    </ul>
  );
}

/** The fields of a struct. Those with fields of their own unfold. */
interface FieldsProps {
  readonly schema: Schema;
  readonly shape: Shape;
  /** Whether the fields of the fields are shown at first. */
  readonly isOpen?: boolean;
}

function Fields({ schema, shape, isOpen = false }: FieldsProps) {
  if (shape.kind !== "struct" || shape.fields.length === 0) return null;
  return (
    <ul class="tree">
      {shape.fields.map((field) => (
        <FieldItem key={field.name} schema={schema} field={field} isOpen={isOpen} />
      ))}
    </ul>
  );
}

type FieldItemProps = Pick<FieldsProps, "schema" | "isOpen"> & { readonly field: Field };

function FieldItem({ schema, field, isOpen }: FieldItemProps) {
  const { name, reference, isOptional, comments } = field;
  const inner = insideOf(schema, shapeOf(schema, reference));
  return (
    <li>
      <code>{name}</code> <TypeName schema={schema} type={reference.type} />{" "}
      {isOptional && <span class="need">optional</span>} <DeprecatedMark meta={reference.meta} />
      <Docs comments={comments} />
      {inner !== undefined && (
        <Unfold summary={`Fields of ${name}`} open={isOpen === true}>
          {() => <Fields schema={schema} shape={inner} />}
        </Unfold>
      )}
    </li>
  );
}

/** The struct in a value, or in lists and maps up to three levels deep. Lists may contain themselves. */
function insideOf(schema: Schema, shape: Shape, depth = 0): Shape | undefined {
  if (depth > 3) return undefined;
  if (shape.kind === "list") return insideOf(schema, shapeOf(schema, shape.item), depth + 1);
  if (shape.kind === "map") return insideOf(schema, shapeOf(schema, shape.value), depth + 1);
  return shape.kind === "struct" ? shape : undefined;
}
