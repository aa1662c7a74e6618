/** The description of a method: its name, address, comments, and types. */
import { addressOf, type ServiceMethod } from "../schema/ir.ts";
import type { Loaded } from "../state/load.ts";
import { links } from "../state/route.ts";
import { MethodBadges } from "./method-badges.tsx";
import { Docs, TypeName } from "./parts.tsx";

interface MethodHeaderProps {
  readonly loaded: Loaded;
  readonly found: ServiceMethod;
}

export function MethodHeader({ loaded, found }: MethodHeaderProps) {
  const { service, method } = found;
  return (
    <header>
      <p class="crumb">{service.name}</p>
      <h1>{method.name}</h1>
      <MethodBadges method={method} hostInfo={loaded.hostInfo} />
      {method.route !== undefined && <Address loaded={loaded} found={found} />}
      <Docs comments={method.comments} />
      <Signature loaded={loaded} found={found} />
    </header>
  );
}

/** `GET /rpc/orders/{id}` */
function Address({ loaded: { schema }, found }: MethodHeaderProps) {
  const { verb, path } = addressOf(schema, found);
  return (
    <p class="address">
      <code>
        {verb} {path}
      </code>
    </p>
  );
}

/** The types of the request and the response, and the possible errors. */
function Signature({ loaded: { schema }, found: { method } }: MethodHeaderProps) {
  const types = (args: typeof method.inputs) =>
    args.length === 0
      ? "nothing"
      : args.map(({ name, type }, index) => (
          <span key={name}>
            {index > 0 && ", "}
            {method.succinct === true ? "" : `${name}: `}
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
      {method.errors !== undefined && (
        <div>
          <dt>Errors</dt>
          <dd>
            {method.errors.map((error, index) => (
              <span key={error}>
                {index > 0 && ", "}
                <a href={links.error(error)}>{error}</a>
              </span>
            ))}
          </dd>
        </div>
      )}
    </dl>
  );
}
