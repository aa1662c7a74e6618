/** The first page: what this host serves, and each method in one line. */
import { Fragment } from "preact";
import { firstCallOf } from "../call/first-call.ts";
import { docsOf } from "../schema/ir.ts";
import { firstSentence } from "../schema/search.ts";
import type { Loaded } from "../state/load.ts";
import { type HostPage, links } from "../state/route.ts";
import type { KeyValues } from "../state/session.ts";
import { FirstCall } from "./first-call.tsx";
import { MethodBadges } from "./method-page.tsx";
import { hosted, isUnfolded } from "./nav.tsx";
import { counted, Docs, marked, Name } from "./parts.tsx";

interface OverviewProps {
  readonly loaded: Loaded;
  readonly pages: readonly HostPage[];
  /** The URL that is called. */
  readonly server: string;
  readonly network: string;
  readonly keyValues: KeyValues;
  /** Calls a method, such as `Marketplace/GetOrders`, when its page is shown. */
  readonly onCall: (name: string) => void;
}

export function Overview({ loaded, pages, server, network, keyValues, onCall }: OverviewProps) {
  const { schema, hostInfo, sandbox } = loaded;
  const { networks = [] } = hostInfo;
  const services = hosted(schema, hostInfo);
  const methodCount = services.reduce((sum, { methods }) => sum + methods.length, 0);
  const first = firstCallOf(schema, hostInfo, keyValues, sandbox?.firstCall);
  return (
    <article>
      <header>
        <h1>{hostInfo.title ?? schema.ir.name}</h1>
        <p class="lead">
          {counted(methodCount, "method")} in {counted(services.length, "service")}. Open a method to call it
          from a form, or to copy the call as code.{" "}
          {networks.length > 0 && <>This host serves {listed(networks)}.</>}
        </p>
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
      {first !== undefined && (
        <FirstCall
          key={`${loaded.source} ${first.service.name}/${first.method.name}`}
          loaded={loaded}
          found={first}
          server={server}
          network={network}
          keyValues={keyValues}
          onCall={() => onCall(`${first.service.name}/${first.method.name}`)}
        />
      )}
      {services.map((service) => (
        <section class="card" key={service.name} aria-labelledby={`service-${service.name}`}>
          <details open={isUnfolded(services)}>
            <summary>
              <h2 id={`service-${service.name}`}>{service.name}</h2>{" "}
              <span class="hint">
                {counted(service.methods.length, "method")}
                {!isUnfolded(services) && ` · ${firstSentence(docsOf(service.comments))}`}
              </span>
            </summary>
            <Docs comments={service.comments} />
            <ul class="index">
              {service.methods.map((method) => (
                <li key={method.name}>
                  <a href={links.method(service.name, method.name)}>
                    <Name text={method.name} />
                  </a>
                  <span>{marked(firstSentence(docsOf(method.comments)))}</span>
                  <MethodBadges method={method} hostInfo={hostInfo} />
                </li>
              ))}
            </ul>
          </details>
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
