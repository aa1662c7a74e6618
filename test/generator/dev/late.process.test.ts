import { expect, test } from "vitest";
import { LateModules, type LateTexts } from "../../../generator/dev/late.ts";

const folder = "/pets/generated/validators/requests";
const pets = `${folder}/pets.ts`;
const toys = `${folder}/toys.ts`;

function textsOf(entries: readonly (readonly [string, string])[]): LateTexts {
  const texts = new Map(entries);
  return { has: (path) => texts.has(path), read: (path) => texts.get(path), prepare: () => {} };
}

function version(words: string): LateTexts {
  const own = `import * as v from "../../runtime/v1/validation.ts";
import type { Words } from "../../runtime/v1/words.ts";
import { words } from "./shared.ts";

export const requests: Words = { words, v };
`;
  const shared = `export const words: string = ${JSON.stringify(words)};\n`;
  return textsOf([
    [pets, own],
    [`${folder}/shared.ts`, shared],
  ]);
}

const runtime = { issuesOf: () => undefined };

test("a version has its own late modules, also after others were asked for", async () => {
  const late = new LateModules("/pets/generated");
  const load = async (texts: LateTexts): Promise<unknown> =>
    (await late.load(pets, { texts, runtime }))["requests"];
  const [first, second] = [version("first"), version("second")];
  expect(await load(second)).toMatchObject({ words: "second" });
  expect(await load(first)).toMatchObject({ words: "first" });
  expect(await load(second)).toMatchObject({ words: "second", v: { issuesOf: runtime.issuesOf } });
});

test("what is not generated any more is an error that can be asked again", async () => {
  const late = new LateModules("/pets/generated");
  const gone: LateTexts = { has: () => true, read: () => undefined, prepare: () => {} };
  await expect(late.load(pets, { texts: gone, runtime })).rejects.toThrow(
    `${pets} is not generated any more`,
  );
  const own = textsOf([[pets, 'import "./others.ts";']]);
  await expect(late.load(pets, { texts: own, runtime })).rejects.toThrow(
    '"./others.ts" is no file that is imported late',
  );
  expect(await late.load(pets, { texts: version("now"), runtime })).toHaveProperty("requests");
});

test("only imports of late files become calls", () => {
  const late = new LateModules("/pets/generated");
  const text = 'a: () => import("./requests/pets.ts"),\nb: () => import("./requests/toys.ts"),\n';
  expect(late.withCalls(text, textsOf([[toys, ""]]), "host.late")).toBe(
    `import * as lateRuntime from "../runtime/v1/validation.ts";a: () => import("./requests/pets.ts"),
b: () => host.late("${toys}", lateRuntime),
`,
  );
});
