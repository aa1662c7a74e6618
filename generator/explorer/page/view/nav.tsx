/** Links to every method and page, with a search. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { HostInfo } from "../call/host-info.ts";
import { type IrArgument, type IrMethod, plainText, type Schema } from "../schema/ir.ts";
import { type Found, type FoundKind, indexOf, search } from "../schema/search.ts";
import { type HostPage, links, type Route } from "../state/route.ts";
import { isTyping, Name } from "./parts.tsx";

interface NavProps {
  readonly schema: Schema;
  readonly hostInfo: HostInfo;
  readonly pages: readonly HostPage[];
  readonly route: Route;
  readonly isOpen: boolean;
  /** Opens the navigation where it is a menu. */
  readonly onSearch: () => void;
}

/** With more methods, only the service of the current method is open. */
const unfoldedMax = 100;

/** Whether services show their methods at first. */
export function isUnfolded(services: Schema["ir"]["services"]): boolean {
  return services.reduce((sum, { methods }) => sum + methods.length, 0) <= unfoldedMax;
}

export function Nav({ schema, hostInfo, pages, route, isOpen, onSearch }: NavProps) {
  const services = hosted(schema, hostInfo);
  const isShort = isUnfolded(services);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const here = list.current?.querySelector("[aria-current]")?.getBoundingClientRect();
    const shown = list.current?.getBoundingClientRect();
    if (here === undefined || shown === undefined) return;
    const isShown = here.top > shown.top && here.bottom < shown.bottom;
    if (!isShown) list.current?.scrollBy(0, here.top - shown.top - shown.height / 2);
  }, [route, isOpen]);
  return (
    <nav id="nav" class={isOpen ? "is-open" : ""} aria-label="Contract">
      <SearchBox schema={schema} hostInfo={hostInfo} onSearch={onSearch} />
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
      <div class="services" ref={list}>
        {services.map(({ name, methods }) => (
          <details key={name} open={isShort || (route.kind === "method" && route.service === name)}>
            <summary>
              <h2>{name}</h2>
            </summary>
            <ul>
              {methods.map((method) => (
                <Item
                  key={method.name}
                  href={links.method(name, method.name)}
                  title={method.name}
                  isDeprecated={method.annotations?.["deprecated"] !== undefined}
                  isHere={route.kind === "method" && route.service === name && route.method === method.name}
                />
              ))}
            </ul>
          </details>
        ))}
      </div>
    </nav>
  );
}

/** The services of the host. Methods about the server itself are the last of their service. */
export function hosted({ ir, types }: Schema, { services }: HostInfo): Schema["ir"]["services"] {
  const isEmpty = ({ type }: IrArgument): boolean =>
    types.has(type) && (types.get(type)?.fields ?? []).length === 0;
  const isAboutServer = ({ name, inputs }: IrMethod): boolean =>
    aboutServer.test(name) && inputs.every(isEmpty);
  return ir.services
    .filter(({ name }) => services?.includes(name) ?? true)
    .map((service) => ({
      ...service,
      methods: [...service.methods].sort((a, b) => Number(isAboutServer(a)) - Number(isAboutServer(b))),
    }));
}

/** Names of methods by which webrpc's servers report their state. */
const aboutServer = /^(?:ping|version|status|health|runtimestatus)$/i;

function Item({
  href,
  title,
  isHere,
  isDeprecated = false,
}: {
  readonly href: string;
  readonly title: string;
  readonly isHere: boolean;
  readonly isDeprecated?: boolean;
}) {
  const name = <Name text={title} />;
  return (
    <li>
      <a href={href} aria-current={isHere ? "page" : undefined}>
        {isDeprecated ? <s>{name}</s> : name}
        {isDeprecated && <span class="unseen"> (deprecated)</span>}
      </a>
    </li>
  );
}

interface SearchBoxProps {
  readonly schema: Schema;
  readonly hostInfo: HostInfo;
  readonly onSearch: NavProps["onSearch"];
}

const groups: Readonly<Record<FoundKind, string>> = {
  method: "Methods",
  type: "Types",
  field: "Fields",
  error: "Errors",
};

/** A search over the contract, which `/` and Ctrl+K focus. Arrow keys move through the results, and Enter opens one. */
function SearchBox({ schema, hostInfo, onSearch }: SearchBoxProps) {
  const [wanted, setWanted] = useState("");
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const index = useMemo(() => indexOf(schema, hostInfo.services), [schema, hostInfo]);
  const found = useMemo(() => {
    const best = search(index, wanted);
    return Object.keys(groups)
      .map((kind) => best.filter((one) => one.kind === kind))
      .sort(([a], [b]) => (b?.matched ?? 0) - (a?.matched ?? 0))
      .flat();
  }, [index, wanted]);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isSlash = event.key === "/" && !isTyping();
      const isCtrlK = event.key === "k" && (event.ctrlKey || event.metaKey);
      if (!isSlash && !isCtrlK) return;
      event.preventDefault();
      onSearch();
      // On narrow screens, the input is rendered with the menu.
      requestAnimationFrame(() => {
        input.current?.focus();
        input.current?.select();
      });
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  useEffect(() => {
    document.getElementById(`found-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const find = (text: string): void => {
    setWanted(text);
    setAt(0);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = found[at];
    if (by !== undefined && found.length > 0) {
      event.preventDefault();
      setAt((at + by + found.length) % found.length);
    } else if (event.key === "Enter" && chosen !== undefined) {
      location.hash = linkTo(chosen);
      find("");
      input.current?.blur();
    } else if (event.key === "Escape") find("");
  };
  const isSearching = wanted.trim() !== "";
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label="Search methods, types, fields and errors"
        aria-expanded={isSearching}
        aria-controls="found"
        aria-activedescendant={found[at] === undefined ? undefined : `found-${at}`}
        placeholder="Search  /"
        autocomplete="off"
        spellcheck={false}
        ref={input}
        value={wanted}
        onInput={({ currentTarget }) => find(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {isSearching && <Results found={found} wanted={wanted} at={at} onChoose={() => find("")} />}
    </>
  );
}

interface ResultsProps {
  readonly found: readonly Found[];
  readonly wanted: string;
  readonly at: number;
  readonly onChoose: () => void;
}

function Results({ found, wanted, at, onChoose }: ResultsProps) {
  const words = wanted
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/\W/g, "\\$&"));
  const wordsOf = new RegExp(`(${words.join("|")})`, "i");
  return (
    <>
      <p class="unseen" role="status">
        {found.length} results
      </p>
      <div class="results">
        {found.length === 0 && <p class="empty">Nothing matches.</p>}
        <div id="found" role="listbox" aria-label="Results" hidden={found.length === 0}>
          {[...new Set(found.map(({ kind }) => kind))].map((kind) => {
            const first = found.findIndex((one) => one.kind === kind);
            return (
              <fieldset key={kind}>
                <legend>{groups[kind]}</legend>
                {found
                  .filter((one) => one.kind === kind)
                  .map((one, index) => (
                    <a
                      key={`${one.owner}/${one.name}`}
                      id={`found-${first + index}`}
                      role="option"
                      aria-selected={first + index === at}
                      href={linkTo(one)}
                      onClick={onChoose}
                    >
                      <span class="name">
                        {kind === "field" && <span class="owner">{one.owner}.</span>}
                        {one.name
                          .split(wordsOf)
                          .map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))}
                      </span>
                      {kind === "method" && <span class="owner">{one.owner}</span>}
                      {one.summary !== "" && <span class="summary">{plainText(one.summary)}</span>}
                    </a>
                  ))}
              </fieldset>
            );
          })}
        </div>
      </div>
    </>
  );
}

function linkTo({ kind, owner, name }: Found): string {
  if (kind === "method") return links.method(owner, name);
  if (kind === "error") return links.error(name);
  return links.type(kind === "field" ? owner : name);
}
