/** The first page: what this host serves, and each method in one line. */
import { Fragment } from "preact";
import { firstCallOf } from "../call/first-call.ts";
import { docsOf } from "../schema/ir.ts";
import { firstSentence } from "../schema/search.ts";
import type { Loaded } from "../state/load.ts";
import { type HostPage, links } from "../state/route.ts";
import type { KeyValues } from "../state/session.ts";
import { MethodBadges } from "./method-page.tsx";
import { hosted } from "./nav.tsx";
import { Docs, marked } from "./parts.tsx";

interface OverviewProps {
  readonly loaded: Loaded;
  readonly pages: readonly HostPage[];
  readonly keyValues: KeyValues;
  /** Calls a method, such as `Marketplace/GetOrders`, when its page is shown. */
  readonly onCall: (name: string) => void;
}

export function Overview({ loaded: { schema, hostInfo, sandbox }, pages, keyValues, onCall }: OverviewProps) {
  const { networks = [] } = hostInfo;
  const first = firstCallOf(schema, hostInfo, keyValues);
  return (
    <article>
      <header>
        <h1>{hostInfo.title ?? schema.ir.name}</h1>
        <p class="lead">
          Browse every method of the contract and call it from a form.{" "}
          {networks.length > 0 && <>This host serves {listed(networks)}.</>}
        </p>
        {first !== undefined && (
          <p>
            <a
              class="primary"
              href={links.method(first.service.name, first.method.name)}
              onClick={() => onCall(`${first.service.name}/${first.method.name}`)}
            >
              Try {first.method.name}
            </a>
          </p>
        )}
        {sandbox !== undefined && (
          <p class="advice is-good">
            This is your sandbox: its keys are filled in, and the examples come from its records.
            {pages.map((page) => (
              <Fragment key={page.name}>
                {" "}
                <a href={links.host(page)}>{page.title}</a> {page.summary}.
              </Fragment>
            ))}
          </p>
        )}
      </header>
      {hosted(schema, hostInfo).map((service) => (
        <section class="card" key={service.name} aria-labelledby={`service-${service.name}`}>
          <h2 id={`service-${service.name}`}>{service.name}</h2>
          <Docs comments={service.comments} />
          <ul class="index">
            {service.methods.map((method) => (
              <li key={method.name}>
                <a href={links.method(service.name, method.name)}>{method.name}</a>
                <span>{marked(firstSentence(docsOf(method.comments)))}</span>
                <MethodBadges method={method} hostInfo={hostInfo} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p class="note">
        For other tools: <a href="schema.json">schema.json</a> (the webrpc IR)
        {hostInfo.openapi !== undefined && (
          <>
            {" "}
            and <a href={hostInfo.openapi}>openapi.json</a>
          </>
        )}
        .
      </p>
    </article>
  );
}

function listed(networks: readonly { readonly name: string; readonly chainId: number }[]): string {
  const names = networks.map(({ name, chainId }) => `${name} (${chainId})`);
  return names.length > 6
    ? `${names.slice(0, 6).join(", ")} and ${names.length - 6} more networks`
    : names.join(", ");
}
