/** The frame of the page: header, navigation, and the page of the current route. */
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { suggest } from "../../../language/diagnostics/suggest.ts";
import type { HostInfo } from "../call/host-info.ts";
import { findMethod, type Schema } from "../schema/ir.ts";
import { type Loaded, loadContract } from "../state/load.ts";
import { type HostPage, links, type Route, readRoute } from "../state/route.ts";
import { type KeyValues, themes, useHistory, useKeys, useTheme } from "../state/session.ts";
import type { Form } from "./body-form.tsx";
import { ErrorsPage } from "./errors-page.tsx";
import { KeysPanel, ShortcutsPanel } from "./header-panels.tsx";
import { HistoryPage } from "./history-page.tsx";
import type { MethodCallProps } from "./method-call.tsx";
import { MethodPage } from "./method-page.tsx";
import { Nav } from "./nav.tsx";
import { Overview } from "./overview.tsx";
import { LinkedNames } from "./parts.tsx";
import { type Problem, ProblemPanel, watchProblems } from "./problem-panel.tsx";
import { TypePage, TypesPage } from "./types-page.tsx";

interface AppProps {
  readonly loaded: Loaded;
  readonly pages: readonly HostPage[];
}

export function App({ loaded: first, pages }: AppProps) {
  const { loaded, isChanged, problem, closeProblem } = useCurrentContract(first);
  const { schema, hostInfo, sandbox } = loaded;
  const route = useRoute(pages);
  const [isNavOpen, setNavOpen] = useState(false);
  const [keyValues, setKey] = useKeys(sandbox?.keys ?? initialKeys(hostInfo));
  const [network, setNetwork] = useState(hostInfo.networks?.[0]?.name ?? "");
  const servers = serverUrls(hostInfo);
  const [chosen, setServer] = useState("");
  const server = servers.includes(chosen) ? chosen : (servers[0] ?? "");
  const forms = useRef(new Map<string, Form>());
  const history = useHistory(schema.ir.name);
  const firstCall = useRef<string | undefined>(undefined);
  const main = useRef<HTMLElement>(null);
  const title = titleOf(route);
  useEffect(() => {
    document.title = `${title} · ${hostInfo.title ?? schema.ir.name}`;
    setNavOpen(false);
    main.current?.scrollTo(0, 0);
    scrollTo(0, 0);
  }, [title]);
  const passedTitle = usePassedTitle(main, location.hash);
  return (
    <LinkedNames.Provider value={schema}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header class={passedTitle === "" ? "head" : "head is-past"}>
        <button
          type="button"
          class="quiet menu"
          aria-label="Menu"
          aria-expanded={isNavOpen}
          aria-controls="nav"
          onClick={() => setNavOpen(!isNavOpen)}
        >
          <Icon path={isNavOpen ? "M3 3l10 10M13 3L3 13" : "M2 4h12M2 8h12M2 12h12"} />
        </button>
        <a class="brand" href={links.overview}>
          <img src="icon.svg" alt="" width="22" height="22" />
          <span>{hostInfo.title ?? schema.ir.name}</span>
        </a>
        <strong class="here">{passedTitle}</strong>
        <span class="version">{schema.ir.version}</span>
        {hostInfo.isSandbox === true && <span class="pill">sandbox</span>}
        {hostInfo.isMock === true && <span class="pill">mock</span>}
        <span role="status" class="changed">
          {isChanged ? "Contract reloaded" : ""}
        </span>
        <button
          type="button"
          class="quiet find"
          aria-label="Search"
          onClick={() => {
            setNavOpen(true);
            requestAnimationFrame(() => document.querySelector<HTMLElement>("#nav input")?.focus());
          }}
        >
          <Icon path="M11 11l3 3M7 12A5 5 0 1 1 7 2a5 5 0 0 1 0 10z" />
        </button>
        <KeysPanel hostInfo={hostInfo} keyValues={keyValues} onKey={setKey} />
        <ShortcutsPanel />
        <ThemeSwitch />
      </header>
      <div class="frame">
        <Nav
          schema={schema}
          hostInfo={hostInfo}
          pages={pages}
          route={route}
          isOpen={isNavOpen}
          onSearch={() => setNavOpen(document.querySelector(".menu")?.checkVisibility() === true)}
        />
        <main id="main" ref={main} tabIndex={-1}>
          <Page
            loaded={loaded}
            pages={pages}
            route={route}
            keyValues={keyValues}
            network={network}
            onNetwork={setNetwork}
            servers={servers}
            server={server}
            onServer={setServer}
            forms={forms.current}
            history={history}
            firstCall={firstCall}
          />
        </main>
      </div>
      <ProblemPanel problem={problem} onClose={closeProblem} />
    </LinkedNames.Provider>
  );
}

function initialKeys({ keys = [] }: HostInfo): KeyValues {
  return Object.fromEntries(keys.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
}

/** The state of the page that the pages of methods show and change. */
type CallProps = Omit<MethodCallProps, "about" | "found" | "formKey" | "source">;

function Page({ route, loaded, pages, ...state }: AppProps & CallProps & { readonly route: Route }) {
  const { schema } = loaded;
  switch (route.kind) {
    case "overview":
      return (
        <Overview
          loaded={loaded}
          pages={pages}
          server={state.server}
          network={state.network}
          keyValues={state.keyValues}
          onCall={(name) => {
            state.firstCall.current = name;
          }}
        />
      );
    case "host":
      return <route.page.View />;
    case "types":
      return <TypesPage schema={schema} />;
    case "errors":
      return <ErrorsPage schema={schema} openapi={loaded.hostInfo.openapi} name={route.name} />;
    case "history":
      return <HistoryPage history={state.history} />;
    case "type": {
      const type = schema.types.get(route.name);
      return type === undefined ? <NotFound what={route.name} /> : <TypePage schema={schema} type={type} />;
    }
    case "method": {
      const { service, method, request } = route;
      const name = `${service}/${method}`;
      const found = findMethod(schema, service, method);
      if (found === undefined) return <NotFound what={name} suggestion={nearestMethod(schema, name)} />;
      const key = request === undefined ? name : `${name}?${request}`;
      return (
        <MethodPage
          key={key}
          formKey={key}
          loaded={loaded}
          found={found}
          source={{ link: request }}
          {...state}
        />
      );
    }
    case "call":
      return <CallPage key={route.id} id={route.id} loaded={loaded} {...state} />;
  }
}

function CallPage({ id, ...props }: CallProps & { readonly id: number }) {
  const { loaded, history } = props;
  // Further calls push it out of the history while it is shown.
  const [call] = useState(() => history.calls.find((one) => one.id === id));
  if (call === undefined) {
    return (
      <article>
        <h1>Not found</h1>
        <p>
          This call is not in the history of this tab. <a href={links.history}>Show the history</a>.
        </p>
      </article>
    );
  }
  const { service, method } = call;
  const found = findMethod(loaded.schema, service, method);
  if (found === undefined) return <NotFound what={`${service}/${method}`} />;
  return <MethodPage formKey={`call ${id}`} found={found} source={{ call }} {...props} />;
}

function NotFound({ what, suggestion }: { readonly what: string; readonly suggestion?: string | undefined }) {
  return (
    <article>
      <h1>Not found</h1>
      <p>
        The contract does not define "{what}". <a href={links.overview}>Browse the contract</a>.
      </p>
      {suggestion !== undefined && (
        <p>
          Did you mean <a href={`#/method/${suggestion}`}>{suggestion}</a>?
        </p>
      )}
    </article>
  );
}

function nearestMethod({ ir }: Schema, name: string): string | undefined {
  const methods = ir.services.flatMap((service) =>
    service.methods.map((method) => `${service.name}/${method.name}`),
  );
  return suggest(name, methods);
}

function titleOf(route: Route): string {
  switch (route.kind) {
    case "method":
      return `${route.service}.${route.method}`;
    case "type":
      return route.name;
    case "errors":
      return route.name ?? "Errors";
    case "host":
      return route.page.title;
    case "call":
      return `Call ${route.id}`;
    default:
      return { overview: "Overview", types: "Types", history: "History" }[route.kind];
  }
}

const themeSigns = { auto: "◐", light: "☀", dark: "☾" };

/** Each press chooses the next theme. */
function ThemeSwitch() {
  const [theme, setTheme] = useTheme();
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "auto";
  return (
    <button
      type="button"
      class="quiet theme"
      title={`Theme: ${theme}`}
      aria-label={`Theme: ${theme}. Change to ${next}`}
      onClick={() => setTheme(next)}
    >
      {themeSigns[theme]}
    </button>
  );
}

function Icon({ path }: { readonly path: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

/** The URLs of the server, without a slash at their ends. */
function serverUrls({ servers = [".."] }: HostInfo): readonly string[] {
  const page = location.href.split("#")[0];
  return servers.map((url) => new URL(url, page).href.replace(/\/+$/, ""));
}

/** The contract as the server has it now: developers edit it while the page is open. */
export interface CurrentContract {
  readonly loaded: Loaded;
  /** Whether the contract has changed since the page was opened. */
  readonly isChanged: boolean;
  readonly problem: Problem | undefined;
  readonly closeProblem: () => void;
}

/** Reads the contract again when the window gets the focus, or when the server says so. Forms keep what was typed. */
function useCurrentContract(first: Loaded): CurrentContract {
  const [loaded, setLoaded] = useState(first);
  const source = useRef(first.source);
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    let reads = 0;
    const read = async (): Promise<void> => {
      if (document.visibilityState !== "visible") return;
      reads += 1;
      const number = reads;
      const contract = await loadContract();
      if (number !== reads || contract.source === source.current) return;
      source.current = contract.source;
      setLoaded((before) => ({ ...before, ...contract }));
    };
    // A server that does not respond is reported by the next call.
    const readQuietly = (): void => void read().catch(() => {});
    addEventListener("focus", readQuietly);
    document.addEventListener("visibilitychange", readQuietly);
    const stopProblems = watchProblems(first.hostInfo.problems, (reported, isFirst) => {
      setProblem(reported);
      if (!isFirst) readQuietly();
    });
    return () => {
      stopProblems();
      removeEventListener("focus", readQuietly);
      document.removeEventListener("visibilitychange", readQuietly);
    };
  }, []);
  const closeProblem = (): void => setProblem(undefined);
  return { loaded, isChanged: loaded.source !== first.source, problem, closeProblem };
}

/** The title of the page once it is above the window, or "". */
function usePassedTitle(main: RefObject<HTMLElement | null>, page: string): string {
  const [passed, setPassed] = useState("");
  useEffect(() => {
    setPassed("");
    const title = main.current?.querySelector("h1");
    if (title == null) return;
    const observer = new IntersectionObserver(
      ([entry]) => setPassed(entry?.isIntersecting === false ? title.textContent : ""),
      // The header covers this much.
      { rootMargin: "-54px 0px 0px" },
    );
    observer.observe(title);
    return () => observer.disconnect();
  }, [page]);
  return passed;
}

/** The current page. */
function useRoute(pages: readonly HostPage[]): Route {
  const [hash, setHash] = useState(() => location.hash);
  useEffect(() => {
    const read = (): void => setHash(location.hash);
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return readRoute(hash, pages);
}
