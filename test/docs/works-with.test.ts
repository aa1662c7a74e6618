import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stackNames } from "../../generator/tools/init/stacks/index.ts";
import { recipes } from "../stacks/recipes.ts";
import { nextLine } from "../support/docs.ts";

interface Section {
  readonly title: string;
  readonly note: string;
  readonly files: readonly string[];
}

const sections: Readonly<Record<string, Section>> = {
  koa: {
    title: "Koa",
    note: "With CORS, compression, a router with a prefix, and middleware for one method. `path` removes the prefix.",
    files: ["main.ts"],
  },
  node: {
    title: "node:http",
    note: "For requests that Node cannot parse, `clientErrorListener` responds with an error of the API. Too large headers get HTTP status 431.",
    files: ["main.ts"],
  },
  express: {
    title: "Express",
    note: "Express 4 and 5. Paths outside the API go to the next middleware.",
    files: ["main.ts"],
  },
  fastify: {
    title: "Fastify",
    note: "Inside `register`, Fastify's body parsers are turned off for the API only.",
    files: ["main.ts"],
  },
  hono: { title: "Hono", note: "On Node, Bun, Deno or Workers.", files: ["main.ts"] },
  next: {
    title: "Next.js",
    note: "A route handler, a server component that calls an API, and the [explorer](explorer.md#in-your-server). Works with the default tsconfig of Next.js.",
    files: ["app/rpc/[...call]/route.ts", "app/pets/page.tsx", "app/explorer/[[...file]]/route.ts"],
  },
  nest: {
    title: "NestJS",
    note: "Serves the API next to Nest's controllers. Works with Nest's default tsconfig.",
    files: ["main.ts"],
  },
  bun: { title: "Bun", note: "Bun runs the files directly.", files: ["main.ts"] },
  deno: {
    title: "Deno",
    note: "Deno runs the files directly: `deno run --allow-net main.ts`.",
    files: ["main.ts"],
  },
  workers: {
    title: "Cloudflare Workers",
    note: "As Workers require, the server imports no modules of Node.js, and uses no clock or random numbers before its first request. For bindings, import `env` from `cloudflare:workers`, and pass them on in the hook [`context`](handlers.md#authentication-context-and-logs).",
    files: ["main.ts"],
  },
  vite: {
    title: "Vite and React",
    note: "Generates only the client. The bundle contains only the methods that the page imports.",
    files: ["src/main.tsx"],
  },
  tanstack: {
    title: "TanStack Query",
    note: "Vite and React, with the package `@tanstack/react-query`. Vue, Solid and the other frameworks of TanStack Query take the same objects: [TanStack Query](tanstack-query.md).",
    files: ["src/main.tsx", "src/pet.tsx"],
  },
  monorepo: {
    title: "A monorepo",
    note: "One package has the schema and the generated code; other packages import it by name.",
    files: ["packages/contract/package.json", "packages/app/main.ts"],
  },
  commonjs: {
    title: "CommonJS",
    note: 'For a package without `"type": "module"`, compiled by tsc with `"module": "nodenext"`. With `"node16"` and `"node18"`, tsc reports TS1479, because `ridlkit-runtime` is an ES module. Tools that replace `require`, such as Jest, need [copies of the runtime](runtime.md#with-copies).',
    files: ["main.ts"],
  },
  opentelemetry: {
    title: "OpenTelemetry",
    note: 'One span for each call, by the semantic conventions of RPC. It ends with the response, also for streams and rejected calls. The span of an HTTP server is its parent, and what the handler starts are its children. With the Fetch API, use `traced(fetchHandler(server))`. In Koa and Express, put `traced(…)` on a route of the basepath, such as `router.all("/rpc/{*call}", traced(koaMiddleware(server)))`: the span of a request that goes to other middleware would never end.',
    files: ["traced.ts", "main.ts"],
  },
  pino: {
    title: "Logging with pino",
    note: "One line for each call. Handlers log with the id of their call.",
    files: ["logged.ts", "main.ts"],
  },
  drizzle: {
    title: "Drizzle",
    note: "Rows are responses, without casts: a column that may be null is an optional field with `+ nullable = always`. Rows of Prisma have the same types.",
    files: ["api.ridl", "pets.ts", "main.ts"],
  },
  vitest: {
    title: "Tests with vitest",
    note: "A client and its server in one process, without a port: with your handlers, or with [the mock](mock-and-recordings.md#in-tests).",
    files: ["pets.test.ts", "mock.test.ts"],
  },
  msw: {
    title: "Mock Service Worker",
    note: "[The mock](mock-and-recordings.md#in-tests) responds to `fetch` of code that creates its own client. `fetchHandler(createServer(handlers))` does so with your handlers; in a browser, pass it to `setupWorker`.",
    files: ["pets.test.ts"],
  },
  playwright: {
    title: "Playwright",
    note: "[The mock](mock-and-recordings.md#in-tests) responds to calls of a page, in the test's process. A stream arrives as a whole, when it has ended.",
    files: ["pets.spec.ts"],
  },
};

test("docs/works-with.md links to every recipe that CI runs", async () => {
  expect(Object.keys(sections).sort()).toEqual(Object.keys(recipes).sort());
  await expect(overview()).toMatchFileSnapshot("../../docs/works-with.md");
});

// After a change to a recipe: npx vitest run test/docs/works-with.test.ts --update
test.each(Object.entries(sections))("docs/works-with/%s.md is the recipe", async (name, section) => {
  await expect(page(name, section)).toMatchFileSnapshot(`../../docs/works-with/${name}.md`);
});

test("a recipe adds at most 20 lines to a file", () => {
  for (const [name, { files }] of Object.entries(sections))
    for (const file of files)
      expect([name, file, textOf(name, file).split("\n").length <= 20]).toEqual([name, file, true]);
});

function overview(): string {
  const rows = Object.entries(sections).map(
    ([name, { title, note }]) => `| [${title}](works-with/${name}.md) | ${note} |`,
  );
  return `# Works with

Recipes for frameworks, runtimes and bundlers. CI runs each recipe unchanged, with the packages of \`test/stacks/package.json\`, and checks responses, errors, rejected
requests and streams.

| recipe | notes |
|---|---|
${rows.join("\n")}

\`npx ridlkit init --stack NAME\` writes a complete project for ${stackNames.map((name) => `\`${name}\``).join(", ")}.

## The schema and the handlers of all recipes

\`\`\`ridl
# api.ridl
${readFileSync(new URL("../stacks/recipes/api.ridl", import.meta.url), "utf8").trimEnd()}
\`\`\`

\`\`\`ts
// handlers.ts
${readFileSync(new URL("../stacks/recipes/handlers.ts", import.meta.url), "utf8").trimEnd()}
\`\`\`

${nextLine("docs/works-with.md")}
`;
}

function page(name: string, { title, note, files }: Section): string {
  const settings = JSON.stringify(recipes[name]?.generation ?? {}, undefined, 1)
    .replaceAll(/\s+/g, " ")
    .replaceAll("[ ", "[")
    .replaceAll(" ]", "]");
  const blocks = files.map((file) => block(name, file)).join("\n\n");
  const text = note.replaceAll(/(?<=\]\()(?=[\w-]+[.]md)/g, "../");
  return `# ${title}

${text} CI runs this recipe unchanged, with [the schema and the handlers of all recipes](../works-with.md#the-schema-and-the-handlers-of-all-recipes).

Settings of the schema in [\`ridlkit.config.json\`](../configuration.md): \`${settings}\`

${blocks}
`;
}

function block(name: string, file: string): string {
  const kind = /[^.]+$/.exec(file)?.[0];
  const comment = kind === "json" ? "" : `${kind === "ridl" ? "#" : "//"} ${file}\n`;
  return `${kind === "json" ? `\`${file}\`:\n\n` : ""}\`\`\`${kind}\n${comment}${textOf(name, file)}\n\`\`\``;
}

function textOf(name: string, file: string): string {
  return readFileSync(new URL(`../stacks/recipes/${name}/${file}`, import.meta.url), "utf8").trimEnd();
}
