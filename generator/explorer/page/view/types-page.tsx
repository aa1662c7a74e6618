/** The list of types, and the page of one type. */
import { useMemo } from "preact/hooks";
import { docsOf, groupTypes, type IrField, type IrType, type Schema } from "../schema/ir.ts";
import { firstSentence } from "../schema/search.ts";
import { links } from "../state/route.ts";
import { Docs, marked, Name, TypeName } from "./parts.tsx";

export function TypesPage({ schema }: { readonly schema: Schema }) {
  const groups = useMemo(() => groupTypes(schema.ir), [schema]);
  return (
    <article>
      <header>
        <h1>Types</h1>
      </header>
      {groups.length === 0 && <p class="empty">The contract defines no types.</p>}
      {groups.map(({ title, types }) => (
        <section class="card" key={title} aria-labelledby={`types-${title}`}>
          <h2 id={`types-${title}`}>{title}</h2>
          <ul class="index">
            {types.map(({ name, kind, comments }) => (
              <li key={name}>
                <a href={links.type(name)}>
                  <Name text={name} />
                </a>
                <span>{marked(firstSentence(docsOf(comments)))}</span>
                <ul class="badges">
                  <li>{kind}</li>
                </ul>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </article>
  );
}

export function TypePage({ schema, type }: { readonly schema: Schema; readonly type: IrType }) {
  const users = usersOf(schema, type.name);
  return (
    <article>
      <header>
        <p class="crumb">{type.kind}</p>
        <h1>
          <Name text={type.name} />
        </h1>
        <Docs comments={type.comments} />
        {type.type !== undefined && (
          <p>
            {type.kind === "enum" ? "Base type " : "Alias of "}
            <TypeName schema={schema} type={type.type} />
          </p>
        )}
        <Constraints meta={type.meta} />
      </header>
      {type.kind === "enum" && (
        <dl class="members">
          {type.fields?.map(({ name, value, comments }) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
                {value !== undefined && value !== name && <code class="type">{value}</code>}
              </dt>
              <dd>
                <Docs comments={comments} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {type.kind === "struct" && (
        <dl class="members">
          {type.fields?.map((field) => (
            <Member key={field.name} schema={schema} field={field} />
          ))}
        </dl>
      )}
      {users.length > 0 && (
        <section class="card" aria-labelledby="users">
          <h2 id="users">Used by</h2>
          <ul class="names">
            {users.map(({ href, title }) => (
              <li key={href}>
                <a href={href}>{title}</a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </article>
  );
}

function Member({
  schema,
  field: { name, type = "any", optional, meta, comments },
}: {
  readonly schema: Schema;
  readonly field: IrField;
}) {
  return (
    <div>
      <dt>
        <code>{name}</code>
        <TypeName schema={schema} type={type} />
        {optional === true && <span class="need">optional</span>}
      </dt>
      <dd>
        <Docs comments={comments} />
        <Constraints meta={meta} />
      </dd>
    </div>
  );
}

function Constraints({ meta }: { readonly meta: IrType["meta"] }) {
  const entries = (meta ?? []).flatMap((line) => Object.entries(line));
  return entries.length === 0 ? null : (
    <ul class="constraints">
      {entries.map(([key, value]) => (
        <li key={`${key} ${value}`}>
          {key} <code>{value}</code>
        </li>
      ))}
    </ul>
  );
}

function usersOf(schema: Schema, name: string): readonly { readonly href: string; readonly title: string }[] {
  const names = new RegExp(`(?<![\\w.])${name}(?![\\w.])`);
  const types = schema.ir.types
    .filter(
      ({ kind, type, fields = [] }) =>
        (kind === "alias" && names.test(type ?? "")) ||
        (kind === "struct" && fields.some((field) => names.test(field.type ?? ""))),
    )
    .map((type) => ({ href: links.type(type.name), title: type.name }));
  const methods = schema.ir.services.flatMap((service) =>
    service.methods
      .filter(({ inputs, outputs }) => [...inputs, ...outputs].some(({ type }) => names.test(type)))
      .map((method) => ({
        href: links.method(service.name, method.name),
        title: `${service.name}.${method.name}`,
      })),
  );
  return [...methods, ...types];
}
