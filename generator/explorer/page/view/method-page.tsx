/** A method: its description, and a form that calls it. */

import type { HostInfo } from "../call/host-info.ts";
import { type IrMethod, isRead, keysOf, methodDocs, type Schema, type ServiceMethod } from "../schema/ir.ts";
import type { Loaded } from "../state/load.ts";
import { MethodCall, type MethodCallProps } from "./method-call.tsx";
import { Docs, marked, Name, TypeName, withCode } from "./parts.tsx";

export function MethodPage(props: Omit<MethodCallProps, "about">) {
  const { loaded, found } = props;
  const header = <MethodHeader loaded={loaded} found={found} />;
  if (found.method.streamInput === true)
    return (
      <article>
        {header}
        <MethodAbout loaded={loaded} found={found} />
        <p class="advice">
          This method streams its request. Generated servers and clients do not support that.
        </p>
      </article>
    );
  return (
    <article class="method">
      {header}
      <MethodCall {...props} about={<MethodAbout loaded={loaded} found={found} />} />
    </article>
  );
}

/* The description of a method: its name, address, comments, and types. */

interface MethodHeaderProps {
  readonly loaded: Loaded;
  readonly found: ServiceMethod;
}

function MethodHeader({ loaded, found }: MethodHeaderProps) {
  const { service, method } = found;
  return (
    <header>
      <p class="crumb">{service.name}</p>
      <h1>
        <Name text={method.name} />
      </h1>
      <MethodBadges method={method} hostInfo={loaded.hostInfo} />
    </header>
  );
}

/** The comments and types of a method. */
function MethodAbout({ loaded, found }: MethodHeaderProps) {
  const { annotations } = found.method;
  return (
    <div class="about">
      {annotations?.["deprecated"] !== undefined && (
        <Deprecation schema={loaded.schema} reason={annotations["deprecated"].value} />
      )}
      <MethodText {...methodDocs(loaded.schema, found.method)} />
      <Signature loaded={loaded} found={found} />
    </div>
  );
}

/** In characters. Longer descriptions fold, so that the form starts near the top. */
const unfoldedMax = 240;

function MethodText({ paragraphs }: { readonly paragraphs: readonly string[] }) {
  const [first = "", ...others] = paragraphs;
  if (paragraphs.join().length <= unfoldedMax) return <Docs comments={[paragraphs.join("\n\n")]} />;
  const isCode = first.includes("\n");
  const sentences = isCode ? [first] : first.split(/(?<=[.!?]) (?=[A-Z`])/);
  let shown = sentences.shift() ?? "";
  while (sentences.length > 0 && `${shown} ${sentences[0]}`.length <= unfoldedMax)
    shown += ` ${sentences.shift()}`;
  const rest = [sentences.join(" "), ...others].filter((text) => text !== "");
  return (
    <>
      <Docs comments={[shown]} />
      {rest.length > 0 && (
        <details class="more">
          <summary>More</summary>
          <Docs comments={[rest.join("\n\n")]} />
        </details>
      )}
    </>
  );
}

interface DeprecationProps {
  readonly schema: Schema;
  readonly reason: string | undefined;
}

/** The reason of a deprecation, with links to the methods and types that it names. */
function Deprecation({ schema, reason }: DeprecationProps) {
  if (reason === undefined) return <p class="advice">Deprecated.</p>;
  return <p class="advice">Deprecated: {marked(withCode(schema, reason, /./))}</p>;
}

/** The types of the request and the response. */
function Signature({ loaded: { schema }, found: { method } }: MethodHeaderProps) {
  const types = (args: typeof method.inputs) =>
    args.length === 0
      ? "nothing"
      : args.map(({ name, type, optional }, index) => (
          <span key={name}>
            {index > 0 && ", "}
            {method.succinct === true ? "" : `${name}${optional === true ? "?" : ""}: `}
            <TypeName schema={schema} type={type} />
          </span>
        ));
  return (
    <dl class="signature">
      <div>
        <dt>Request</dt>
        <dd>{types(method.inputs)}</dd>
      </div>
      <div>
        <dt>{method.streamOutput === true ? "Items" : "Response"}</dt>
        <dd>{types(method.outputs)}</dd>
      </div>
    </dl>
  );
}

/* What a caller should know about a method before calling it. */

interface MethodBadgesProps {
  readonly method: IrMethod;
  readonly hostInfo: HostInfo;
}

export function MethodBadges({ method, hostInfo }: MethodBadgesProps) {
  const { streamInput, streamOutput, annotations = {} } = method;
  const wanted = keysOf(method);
  const titles = (hostInfo.keys ?? []).flatMap(({ name, title }) => (wanted.includes(name) ? [title] : []));
  const isStream = streamInput === true || streamOutput === true;
  const badges = [
    // The contract does not say whether other streams change something.
    ...(isRead(method) ? ["read"] : isStream ? [] : ["write"]),
    ...(isStream ? ["stream"] : []),
    ...(annotations["deprecated"] === undefined ? [] : ["deprecated"]),
    ...titles.map((title) => title.toLowerCase()),
  ];
  return (
    <ul class="badges">
      {badges.map((badge) => (
        <li key={badge} class={`is-${badge.replaceAll(" ", "-")}`}>
          {badge}
        </li>
      ))}
    </ul>
  );
}
