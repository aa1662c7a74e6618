/** Every page of the site: its place in the sidebar, its source, its path on the site, and what it is about. `llms.txt` lists the same pages. */

export interface SitePage {
  readonly title: string;
  /** From the repository's root. */
  readonly source: string;
  /** Without `.html`. */
  readonly page: string;
  /** For search engines, and for `llms.txt`. */
  readonly description: string;
  /** Shown below the page in the sidebar. */
  readonly children?: readonly SitePage[];
}

interface Section {
  readonly title: string;
  readonly pages: readonly SitePage[];
}

/** Titles and names of the recipes in `test/stacks/recipes/`. */
const recipes: readonly (readonly [title: string, name: string])[] = [
  ["Koa", "koa"],
  ["node:http", "node"],
  ["Express", "express"],
  ["Fastify", "fastify"],
  ["Hono", "hono"],
  ["Next.js", "next"],
  ["NestJS", "nest"],
  ["Bun", "bun"],
  ["Deno", "deno"],
  ["Cloudflare Workers", "workers"],
  ["Vite and React", "vite"],
  ["TanStack Query", "tanstack"],
  ["A monorepo", "monorepo"],
  ["CommonJS", "commonjs"],
  ["OpenTelemetry", "opentelemetry"],
  ["Logging with pino", "pino"],
  ["Drizzle", "drizzle"],
  ["Tests with vitest", "vitest"],
  ["Mock Service Worker", "msw"],
  ["Playwright", "playwright"],
];

/** The book of the toolkit. */
export const toolkit: readonly Section[] = [
  {
    title: "Start",
    pages: [
      page(
        "Overview",
        "README.md",
        "overview",
        "what it is, a schema with its handler and client, comparison",
      ),
      guide("Why ridlkit", "why", "what it is good for, alternatives, costs"),
      guide("Tutorial", "tutorial", "a project, an error, a client, a page in React, a safe change"),
      guide("Concepts", "concepts", "schema, model, IR, target, runtime, handler, adapter"),
      {
        ...guide("Works with", "works-with", "a recipe for each framework, runtime and bundler"),
        children: recipes.map(([title, name]) => guide(title, `works-with/${name}`, `a recipe for ${title}`)),
      },
      guide("Comparison", "comparison", "time, files and sizes of six generators on one API"),
      guide(
        "The same apps on other stacks",
        "apps",
        "a gallery on ridlkit, orval and tRPC, and a clinic on ridlkit and oRPC: lines, sizes, mistakes that compilers find",
      ),
    ],
  },
  {
    title: "Build",
    pages: [
      guide("New projects", "dev", "init, dev, scaffold, doctor"),
      guide("Write a schema", "schema-language", "services, types, errors and rules by example"),
      guide(
        "What the language cannot say",
        "language-limits",
        "partial updates, and the usual way around what is missing",
      ),
      guide("Schemas in YAML", "yaml", "the same language in YAML"),
      guide("Generate code", "generating", "targets, adapters, 64-bit integers, check, IR and hash"),
      guide("Package or copy", "runtime", "the runtime: what to commit, what to import, upgrading"),
      guide("Handlers", "handlers", "methods, guards, context, starting a server, tests"),
      guide("Errors", "errors", "declaring, returning and handling errors; invalid requests"),
      guide("The client", "client", "timeouts, retries, interceptors, authentication, cookies, cancellation"),
      guide("Authentication", "auth", "JWT, sessions, roles, OAuth, CSRF"),
      guide("Server options and limits", "server-options", "createServer, limits, HTTP status codes"),
      {
        ...guide("Streams", "streams", "sending, reading, reconnecting"),
        children: [guide("A store in Postgres", "stream-store", "items of streams that several hosts share")],
      },
      guide("Files", "files", "uploads and downloads"),
      guide("Repeating writes", "idempotency", "idempotency keys, stores, crashes"),
      guide("Caching reads", "caching", "GET, Cache-Control, ETag, conditional requests, ranges"),
      guide("React", "react", "errors, Suspense, uploads with progress, optimistic updates"),
      guide(
        "TanStack Query",
        "tanstack-query",
        "queries, mutations, infinite lists and streams in components",
      ),
      guide(
        "Forms and other libraries",
        "standard-schema",
        "Standard Schemas of all types, for forms, tRPC and others, with JSON Schemas",
      ),
      guide(
        "OpenAPI",
        "openapi",
        "documents of versions 3.0, 3.1 and 3.2, and generators of clients that are tested with them",
      ),
      guide("Agents (MCP)", "mcp", "a server for agents with two tools, search and call"),
      {
        ...guide("Custom templates", "templates", "other languages and other files"),
        children: [guide("The plan of templates", "template-plan", "the types that templates use")],
      },
    ],
  },
  {
    title: "Quality",
    pages: [
      guide("Check a schema", "checking", "lint, fixes, suppressing a finding, format, convert"),
      guide("Change it safely", "changing-safely", "breaking changes and replay"),
      guide("Several versions", "several-versions", "one server for old and new clients"),
      guide(
        "Call a server",
        "calling",
        "ridlkit call, credentials, streams, files, curl commands, exit codes",
      ),
      guide("Test a server", "testing", "ridlkit test against a URL or a recording"),
      guide(
        "Mock and recordings",
        "mock-and-recordings",
        "responses from the schema; recorded calls without private data",
      ),
      guide("The explorer", "explorer", "a page that calls every method from a form"),
      guide("Editors", "editors", "the language server and Visual Studio Code"),
    ],
  },
  {
    title: "Ship",
    pages: [
      guide("Continuous integration", "ci", "a workflow that checks schema, code and breaking changes"),
      guide("Deploy your API", "deploying", "Docker, nginx, Fly.io, AWS Lambda, Vercel"),
      guide(
        "Moving from tRPC, ts-rest or OpenAPI",
        "moving",
        "what corresponds to what, and how to move method by method",
      ),
      guide("Moving from webrpc-gen", "moving-from-webrpc-gen", "its command line, and differences"),
      guide("Troubleshooting", "troubleshooting", "error messages and what to do"),
    ],
  },
  {
    title: "Reference",
    pages: [
      page("The language", "schema/README.md", "language", "grammar, wire format, meta keys, annotations"),
      guide("Commands", "commands", "the help of each command"),
      guide("Configuration", "configuration", "each key of `ridlkit.config.*`"),
      guide("Meta keys", "meta-keys", "rules and names of fields"),
      {
        ...guide("Error codes", "codes", "each code with its message"),
        children: ["1", "2", "3", "4", "5", "6", "7", "8", "9"].map((hundred) =>
          guide(
            `RK${hundred}00 to RK${hundred}99`,
            `codes/rk${hundred}00`,
            "rules, reasons, invalid and valid examples",
          ),
        ),
      },
      guide("Lint rules", "lint-rules", "style and evolution"),
      guide("Breaking rules", "breaking-rules", "which changes break callers"),
    ],
  },
  {
    title: "The project",
    pages: [
      guide("Versions", "versions", "what counts as a breaking change of ridlkit"),
      page("Changelog", "CHANGELOG.md", "changelog", "what each release adds, changes and fixes"),
      page("Architecture", "ARCHITECTURE.md", "architecture", "layers and modules, invariants, glossary"),
      page(
        "Contributing",
        "CONTRIBUTING.md",
        "contributing",
        "set-up, tests, and the files of common changes",
      ),
      page("Security", "SECURITY.md", "security", "reporting a vulnerability, and what the design promises"),
    ],
  },
];

/** The book of the platform, an API built with the toolkit. */
export const platform: readonly Section[] = [
  {
    title: "The platform",
    pages: [
      guide("Run it", "platform/running", "calls, networks, prices, orders, records"),
      guide("Deploy it", "platform/deploying", "Postgres, replicas, health, limits, upgrades"),
      guide(
        "Grow it",
        "platform/growing",
        "what comes first at 10 and 100 times the load, replicas, several databases",
      ),
      guide("Receive webhooks", "platform/webhooks", "listeners and receivers"),
      guide("Settings", "platform/settings", "each flag, variable and key"),
      guide("Commands", "platform/commands", "of the operator"),
      guide("Contract", "platform/contract", "files, errors, limits and required fields"),
      guide("Architecture", "platform/architecture", "modules, invariants, limits of requests to nodes"),
      guide("Changelog", "platform/changelog", "what each release adds, changes and fixes"),
    ],
  },
];

export const sections: readonly Section[] = [...toolkit, ...platform];

/** The pages of a section, in the order of the sidebar. */
export function pagesOf({ pages }: Section): readonly SitePage[] {
  return pages.flatMap((entry) => [entry, ...(entry.children ?? [])]);
}

function guide(title: string, name: string, description: string): SitePage {
  return page(title, `docs/${name}.md`, name, description);
}

function page(title: string, source: string, path: string, description: string): SitePage {
  return { title, source, page: path, description };
}
