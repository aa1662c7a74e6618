/** Links to every method and page, with a search. */
import type { HostInfo } from "../call/host-info.ts";
import type { Schema } from "../schema/ir.ts";
import type { HostPage } from "../state/host-page.ts";
import { links, type Route } from "../state/route.ts";
import { SearchBox } from "./search-box.tsx";

interface NavProps {
  readonly schema: Schema;
  readonly hostInfo: HostInfo;
  readonly pages: readonly HostPage[];
  readonly route: Route;
  readonly isOpen: boolean;
}

export function Nav({ schema, hostInfo, pages, route, isOpen }: NavProps) {
  return (
    <nav id="nav" class={isOpen ? "is-open" : ""} aria-label="Contract">
      <SearchBox schema={schema} hostInfo={hostInfo}>
        <ul class="pages">
          <Item href={links.overview} title="Overview" isHere={route.kind === "overview"} />
          {pages.map((page) => (
            <Item
              key={page.name}
              href={links.host(page)}
              title={page.title}
              isHere={route.kind === "host" && route.page === page}
            />
          ))}
          <Item href={links.types} title="Types" isHere={route.kind === "types" || route.kind === "type"} />
          <Item href={links.errors} title="Errors" isHere={route.kind === "errors"} />
          <Item href={links.history} title="History" isHere={route.kind === "history"} />
        </ul>
        {hosted(schema, hostInfo).map(({ name, methods }) => (
          <div key={name}>
            <h2>{name}</h2>
            <ul>
              {methods.map((method) => (
                <Item
                  key={method.name}
                  href={links.method(name, method.name)}
                  title={method.name}
                  isHere={route.kind === "method" && route.service === name && route.method === method.name}
                />
              ))}
            </ul>
          </div>
        ))}
      </SearchBox>
    </nav>
  );
}

export function hosted({ ir }: Schema, { services }: HostInfo): Schema["ir"]["services"] {
  return ir.services.filter(({ name }) => services?.includes(name) ?? true);
}

function Item({
  href,
  title,
  isHere,
}: {
  readonly href: string;
  readonly title: string;
  readonly isHere: boolean;
}) {
  return (
    <li>
      <a href={href} aria-current={isHere ? "page" : undefined}>
        {title}
      </a>
    </li>
  );
}
