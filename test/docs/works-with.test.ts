import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stackNames } from "../../generator/tools/init/stacks/index.ts";
import { recipes } from "../stacks/recipes.ts";

interface Section {
  readonly title: string;
  readonly says: string;
  readonly files: readonly string[];
}

const sections: Readonly<Record<string, Section>> = {
  koa: {
    title: "Koa",
    says: "With CORS, compression, a router's prefix, and middleware for one method. `path` says where the API's own path begins.",
    files: ["main.ts"],
  },
  node: {
    title: "node:http",
    says: "`clientErrorListener` answers requests that Node cannot parse in the form of the API.",
    files: ["main.ts"],
  },
  express: {
    title: "Express",
    says: "Express 4 and 5. Paths outside of the API go on to what follows.",
    files: ["main.ts"],
  },
  fastify: {
    title: "Fastify",
    says: "The scope of `register` keeps Fastify's own body parsers from the API's requests.",
    files: ["main.ts"],
  },
  hono: { title: "Hono", says: "On Node, Bun, Deno or Workers.", files: ["main.ts"] },
  next: {
    title: "Next.js",
    says: "A route handler, and a server component that calls an API. Next's own tsconfig needs no edit.",
    files: ["app/rpc/[...call]/route.ts", "app/pets/page.tsx"],
  },
  nest: {
    title: "NestJS",
    says: "The API beside Nest's controllers, with Nest's own tsconfig.",
    files: ["main.ts"],
  },
  bun: { title: "Bun", says: "Runs the files as they are.", files: ["main.ts"] },
  deno: {
    title: "Deno",
    says: "Runs the files as they are: `deno run --allow-net main.ts`.",
    files: ["main.ts"],
  },
  workers: {
    title: "Cloudflare Workers",
    says: "Nothing is asked of the clock or of chance before the first request, and nothing of Node is imported.",
    files: ["main.ts"],
  },
  vite: {
    title: "Vite and React",
    says: "A client alone; a bundle holds the functions that it imports.",
    files: ["src/main.tsx"],
  },
  monorepo: {
    title: "A monorepo",
    says: "One package has the schema and what is generated from it; others import that by name.",
    files: ["packages/contract/package.json", "packages/app/main.ts"],
  },
  commonjs: {
    title: "CommonJS",
    says: 'What tsc makes of it in a package without `"type": "module"`.',
    files: ["main.ts"],
  },
  vitest: {
    title: "Tests with vitest",
    says: "A client and its server in one process, without a port.",
    files: ["pets.test.ts"],
  },
};

test("docs/works-with.md has every recipe, as it is run in CI", async () => {
  expect(Object.keys(sections).sort()).toEqual(Object.keys(recipes).sort());
  await expect(page()).toMatchFileSnapshot("../../docs/works-with.md");
});

test("a recipe adds at most 20 lines to a file", () => {
  for (const [name, { files }] of Object.entries(sections))
    for (const file of files)
      expect([name, file, textOf(name, file).split("\n").length <= 20]).toEqual([name, file, true]);
});

function page(): string {
  const links = Object.values(sections).map(({ title }) => `[${title}](#${anchor(title)})`);
  const parts = Object.entries(sections).map(([name, { title, says, files }]) => {
    const settings = JSON.stringify(recipes[name]?.generation ?? {}, undefined, 1)
      .replaceAll(/\s+/g, " ")
      .replaceAll("[ ", "[")
      .replaceAll(" ]", "]");
    const blocks = files.map((file) => block(name, file)).join("\n\n");
    return `## ${title}\n\n${says} Settings: \`${settings}\`.\n\n${blocks}\n`;
  });
  return `# Works with

Each of these is run in CI as it stands here, called from outside, and checked: answers, errors of the schema, refusals and streams. Packages and
versions are those of \`test/stacks/package.json\`. Settings are keys of a schema in \`ridlkit.config.json\`: [Configuration](configuration.md).

\`ridlkit init --stack NAME\` writes a whole project for any of ${stackNames.map((name) => `\`${name}\``).join(", ")}.

${links.join(" · ")}

All of them serve these handlers:

\`\`\`ts
// handlers.ts
${readFileSync(new URL("../stacks/recipes/handlers.ts", import.meta.url), "utf8").trimEnd()}
\`\`\`

${parts.join("\n")}`;
}

function block(name: string, file: string): string {
  const kind = file.endsWith(".json") ? "json" : file.endsWith(".tsx") ? "tsx" : "ts";
  const comment = kind === "json" ? "" : `// ${file}\n`;
  return `${kind === "json" ? `\`${file}\`:\n\n` : ""}\`\`\`${kind}\n${comment}${textOf(name, file)}\n\`\`\``;
}

function textOf(name: string, file: string): string {
  return readFileSync(new URL(`../stacks/recipes/${name}/${file}`, import.meta.url), "utf8").trimEnd();
}

function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");
}
