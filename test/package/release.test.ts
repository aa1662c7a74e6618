/** The workflow that publishes the packages: what it may do, and in which order. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

interface Step {
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly needs?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: { readonly push: { readonly tags: readonly string[] } };
  readonly jobs: { readonly publish: Job; readonly image: Job };
}

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const workflow = parse(read(".github/workflows/release.yml")) as Workflow;
const { permissions, steps } = workflow.jobs.publish;
const commands = steps.flatMap(({ run }) => run ?? []);
const position = (part: string): number => commands.findIndex((command) => command.includes(part));

test("only a tag of a version publishes, and only with the rights that provenance needs", () => {
  expect(workflow.on).toEqual({ push: { tags: ["v*"] } });
  expect(permissions).toEqual({ contents: "read", "id-token": "write" });
  expect(JSON.stringify(workflow)).not.toMatch(/secrets\.|TOKEN/);
});

test("all checks come before the build, and the build before publishing", () => {
  const order = ["CHANGELOG.md", ".ci/run", "npm pkg set", "npm run build", "npm publish"].map(position);
  expect(order).toEqual([1, 2, 3, 4, 5]);
  expect(steps.find(({ run }) => run === ".ci/run")?.env).toEqual({ CI: "true" });
  expect(commands.slice(5)).toEqual([
    "npm publish --provenance --access public ./generator/runtime",
    "npm publish --provenance --access public",
  ]);
});

test("the platform's image follows the packages, with the right to push it only", () => {
  const { image } = workflow.jobs;
  expect(image.needs).toBe("publish");
  expect(image.permissions).toEqual({ contents: "read", packages: "write" });
  const [, file = ""] = /--file (\S+) /.exec(image.steps.map(({ run }) => run).join("\n")) ?? [];
  expect(read(file)).toContain("\nENTRYPOINT ");
});

test("names of scripts and files are real", () => {
  const { scripts, files, version } = JSON.parse(read("package.json")) as {
    readonly scripts: Readonly<Record<string, string>>;
    readonly files: readonly string[];
    readonly version: string;
  };
  expect(scripts["build"]).toContain("build.mjs");
  // The checks leave their own build behind; what is packed is built again for the tag.
  expect(files).toContain("dist");
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(JSON.parse(read("generator/runtime/package.json"))).toMatchObject({
    name: "ridlkit-runtime",
    version,
  });
});
