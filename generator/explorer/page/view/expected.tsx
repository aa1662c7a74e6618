/** What a call returns, before it is sent: an example, the fields with their docs, and each error of the method. */
import type { JsonNode } from "../json/node.ts";
import { printJson } from "../json/node.ts";
import { exampleNode } from "../schema/example.ts";
import { dataTypes, type IrError, type IrMethod, type Schema } from "../schema/ir.ts";
import { bodyShape, type Field, type Shape, shapeOf } from "../schema/shape.ts";
import { links } from "../state/route.ts";
import { JsonView } from "./json-view.tsx";
import { LinkedNames, marked, Name, type Tab, Tabs, TypeName, Unfold } from "./parts.tsx";

interface ExpectedProps {
  readonly schema: Schema;
  readonly method: IrMethod;
  /** The request of the form. */
  readonly request: JsonNode;
  /** Calls the method so that it fails. Undefined if the host is no mock. */
  readonly onTry: ((error: string) => void) | undefined;
}

/** More tabs would not fit. The table of errors below the form lists all. */
const tabsMax = 8;

export function Expected({ schema, method, request, onTry }: ExpectedProps) {
  const { outputs, streamOutput } = method;
  const errors = errorsOf(schema, method).slice(0, tabsMax);
  const shape = bodyShape(schema, method, outputs);
  const isFile = outputs.length === 1 && outputs[0]?.type === "file";
  const good: Tab = {
    name: "good",
    title: streamOutput === true ? "200 · each item" : "200",
    content: isFile ? (
      <p class="empty">A file.</p>
    ) : (
      <>
        <JsonView text={exampleText(schema, method, request)} label="example response" />
        <Fields schema={schema} shape={shape} />
      </>
    ),
  };
  const bad = errors.map((error) => ({
    name: error.name,
    title: `${error.httpStatus} ${error.name}`,
    content: <ErrorExample error={error} onTry={onTry} />,
  }));
  return (
    <div class="expected">
      <Tabs id="expected" label="Possible responses" tabs={[good, ...bad]} />
    </div>
  );
}

/** An example of a response, or of an item of a stream. */
export function exampleText(schema: Schema, method: IrMethod, request: JsonNode): string {
  return printJson(exampleNode(schema, bodyShape(schema, method, method.outputs), valuesOf(request)));
}

function ErrorExample({ error, onTry }: { readonly error: IrError; readonly onTry: ExpectedProps["onTry"] }) {
  const { name, code, message, httpStatus } = error;
  const text = JSON.stringify({ error: name, code, msg: message, status: httpStatus }, null, 2);
  return (
    <>
      <JsonView text={text} label={`example of ${name}`} />
      <p class="hint">
        <a href={links.error(name)}>About {name}</a>{" "}
        {onTry !== undefined && (
          <button type="button" class="link" onClick={() => onTry(name)}>
            Try it on the mock
          </button>
        )}
      </p>
    </>
  );
}

/** The errors that a method declares. */
function errorsOf({ ir }: Schema, { errors: names }: IrMethod): readonly IrError[] {
  return (ir.errors ?? []).filter(({ name, code }) => code > 0 && names?.includes(name) === true);
}

type ErrorTableProps = Pick<ExpectedProps, "schema" | "method" | "onTry">;

/** Each error of the method: its status, and when it is returned. */
export function ErrorTable({ schema, method, onTry }: ErrorTableProps) {
  const errors = errorsOf(schema, method);
  const data = dataTypes(schema.ir);
  if (errors.length === 0) return null;
  return (
    <section class="errors" aria-labelledby="errors-title">
      <h2 id="errors-title">Errors</h2>
      <table class="grid">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">HTTP</th>
            <th scope="col">When</th>
            {onTry !== undefined && <th scope="col">Mock</th>}
          </tr>
        </thead>
        <tbody>
          {errors.map(({ name, httpStatus, message }) => (
            <tr key={name}>
              <th scope="row">
                <a href={links.error(name)}>
                  <Name text={name} />
                </a>
              </th>
              <td>{httpStatus}</td>
              <td>
                {message}
                {data.has(name) && (
                  <>
                    , with <TypeName schema={schema} type={data.get(name) ?? ""} />
                  </>
                )}
              </td>
              {onTry !== undefined && (
                <td>
                  <button
                    type="button"
                    class="link"
                    aria-label={`Try it: ${name}`}
                    onClick={() => onTry(name)}
                  >
                    Try it
                  </button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The fields of a struct. Those with fields of their own unfold. */
function Fields({ schema, shape }: { readonly schema: Schema; readonly shape: Shape }) {
  if (shape.kind !== "struct" || shape.fields.length === 0) return null;
  return (
    <ul class="tree">
      {shape.fields.map((field) => (
        <FieldItem key={field.name} schema={schema} field={field} />
      ))}
    </ul>
  );
}

function FieldItem({ schema, field }: { readonly schema: Schema; readonly field: Field }) {
  const { name, reference, isOptional, comments } = field;
  const inner = insideOf(schema, shapeOf(schema, reference));
  // A link in a summary would be a control within a control.
  const type =
    inner === undefined ? (
      <TypeName schema={schema} type={reference.type} />
    ) : (
      <code class="type">{reference.type}</code>
    );
  const line = (
    <>
      <code>{name}</code> {type} {isOptional && <span class="need">optional</span>}
      {comments.length > 0 && <span class="note"> {marked(comments.join(" "))}</span>}
    </>
  );
  if (inner === undefined) return <li>{line}</li>;
  const summary = <LinkedNames.Provider value={undefined}>{line}</LinkedNames.Provider>;
  return (
    <li>
      <Unfold summary={summary}>{() => <Fields schema={schema} shape={inner} />}</Unfold>
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

/** The texts and numbers of a request by the names of their fields, at any depth. */
function valuesOf(node: JsonNode, found = new Map<string, JsonNode>()): ReadonlyMap<string, JsonNode> {
  if (node.kind === "array") for (const item of node.items) valuesOf(item, found);
  if (node.kind === "object")
    for (const [name, value] of node.entries) {
      if (value.kind === "string" || value.kind === "number") found.set(name, value);
      valuesOf(value, found);
    }
  return found;
}
