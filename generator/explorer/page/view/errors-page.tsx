/** Every error that a call may return: errors of the contract and errors of the protocol. */
import { useEffect, useState } from "preact/hooks";
import { dataTypes, type Schema } from "../schema/ir.ts";
import { links } from "../state/route.ts";
import { Docs, TypeName } from "./parts.tsx";

interface DescribedError {
  readonly name: string;
  readonly code: number;
  readonly status: number;
  readonly message: string;
  readonly comments: readonly string[];
}

interface ErrorsPageProps {
  readonly schema: Schema;
  /** The URL of the OpenAPI document. */
  readonly openapi: string | undefined;
  readonly name: string | undefined;
}

export function ErrorsPage({ schema, openapi, name }: ErrorsPageProps) {
  const [errors, setErrors] = useState<readonly DescribedError[]>(() => ofIr(schema));
  useEffect(() => {
    if (openapi === undefined) return;
    // webrpc's IR has no descriptions of errors; the OpenAPI document has them.
    readOpenapi(openapi).then(
      (found) => found.length > 0 && setErrors(found),
      () => {},
    );
  }, []);
  useEffect(() => {
    if (name !== undefined) document.getElementById(`error-${name}`)?.scrollIntoView({ block: "center" });
  }, [name, errors]);
  const data = dataTypes(schema.ir);
  const users = (error: string) =>
    schema.ir.services.flatMap((service) =>
      service.methods
        .filter(({ errors: own }) => own?.includes(error))
        .map((method) => ({ service, method })),
    );
  return (
    <article>
      <header>
        <h1>Errors</h1>
        <p class="lead">
          An error response has the fields <code>error</code>, <code>code</code>, <code>msg</code> and{" "}
          <code>status</code>, and a <code>cause</code> where it is safe to disclose. Some have{" "}
          <code>data</code>.
        </p>
      </header>
      {errors.length === 0 && <p class="empty">The contract defines no errors.</p>}
      <dl class="members" hidden={errors.length === 0}>
        {errors.map((error) => (
          <div key={error.name} id={`error-${error.name}`} class={error.name === name ? "is-here" : ""}>
            <dt>
              <code>{error.name}</code>
              <span class="need">code {error.code}</span>
              <span class="need">HTTP {error.status}</span>
            </dt>
            <dd>
              <Docs comments={error.comments.length > 0 ? error.comments : [error.message]} />
              <DataType schema={schema} type={data.get(error.name)} />
              <UserList users={users(error.name)} />
            </dd>
          </div>
        ))}
      </dl>
    </article>
  );
}

function DataType({ schema, type }: { readonly schema: Schema; readonly type: string | undefined }) {
  if (type === undefined) return null;
  return (
    <p class="hint">
      <code>data</code>: <TypeName schema={schema} type={type} />
    </p>
  );
}

type Users = readonly {
  readonly service: { readonly name: string };
  readonly method: { readonly name: string };
}[];

/** Longer lists are hidden: nearly every method returns the common errors. */
const listedMax = 6;

function UserList({ users }: { readonly users: Users }) {
  if (users.length === 0 || users.length > listedMax) return null;
  return (
    <p class="hint">
      {users.map(({ service, method }, index) => (
        <span key={method.name}>
          {index > 0 && ", "}
          <a href={links.method(service.name, method.name)}>
            {service.name}.{method.name}
          </a>
        </span>
      ))}
    </p>
  );
}

function ofIr({ ir }: Schema): readonly DescribedError[] {
  return (ir.errors ?? []).map(({ name, code, httpStatus, message }) => ({
    ...{ name, code, message, status: httpStatus },
    comments: [],
  }));
}

interface ErrorSchema {
  readonly title?: string;
  readonly description?: string;
  readonly properties?: {
    readonly code?: { readonly const?: number };
    readonly status?: { readonly const?: number };
    readonly msg?: { readonly examples?: readonly string[] };
  };
}

async function readOpenapi(url: string): Promise<readonly DescribedError[]> {
  const response = await fetch(url);
  const { components } = (await response.json()) as {
    readonly components?: { readonly schemas?: Readonly<Record<string, ErrorSchema>> };
  };
  return Object.entries(components?.schemas ?? {})
    .filter(([key]) => key.startsWith("Error."))
    .map(([key, { title, description, properties }]) => ({
      name: title ?? key.slice("Error.".length),
      code: properties?.code?.const ?? 0,
      status: properties?.status?.const ?? 0,
      message: properties?.msg?.examples?.[0] ?? "",
      comments: description === undefined ? [] : description.split("\n"),
    }))
    .sort((a, b) => Math.sign(b.code) - Math.sign(a.code) || Math.abs(a.code) - Math.abs(b.code));
}
