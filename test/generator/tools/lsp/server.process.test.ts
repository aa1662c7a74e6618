import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { CodeAction, CompletionList, Hover, Location, WorkspaceEdit } from "vscode-languageserver/node";
import { Editor } from "../../../support/editor.ts";
import { folder } from "../../../support/program.ts";

const types = `webrpc = v1

# What a pet is.
enum Kind: string
  - CAT = cat
  - DOG = dog

# A pet of the shop.
struct Pet
  - id: uint64
  # Left out: it has none.
  - nickname?: string
    + json = nick
  - kind: Kind
    + default = CAT
`;

const api = `webrpc = v1
name = shop
version = v1.0.0
basepath = /rpc

import
  - types.ridl

error 100 NotFound "not found" HTTP 404

service Shop
  # One pet.
  - GetPet(id: uint64) => (pet: Pet) errors NotFound
  - ListPets(kind?: Kind) => (pets: []Pet)
`;

const handler = `import type { ShopHandlers } from "../../../generated/server.ts";

export const GetPet: ShopHandlers["GetPet"] = async () => {
  throw new Error("not yet");
};
`;

function shop() {
  return folder({
    "ridlkit.config.json": JSON.stringify({
      schemas: [{ entry: "schema/api.ridl", out: "generated", handlers: "server/services" }],
    }),
    "schema/api.ridl": api,
    "schema/types.ridl": types,
    "server/services/Shop/GetPet.ts": handler,
  });
}

test("an editor is helped from the first key to the last, across files", async () => {
  using project = shop();
  const apiPath = join(project.path, "schema/api.ridl");
  const typesPath = join(project.path, "schema/types.ridl");
  const handlerPath = join(project.path, "server/services/Shop/GetPet.ts");
  await using editor = await Editor.open(project.path);
  await editor.write(apiPath, api);

  // Hover says what is on the wire.
  const hover = await editor.at<Hover>("hover", apiPath, api.replace("pets: []Pet", "pets: []P|et"));
  expect(hover.contents).toMatchObject({ kind: "markdown" });
  const said = (hover.contents as { value: string }).value;
  expect(said).toContain("A pet of the shop.");
  expect(said).toContain('{ "id": number, "nick"?: string, "kind": "cat" | "dog" }');
  const method = await editor.at<Hover>("hover", apiPath, api.replace("GetPet", "Get|Pet"));
  expect((method.contents as { value: string }).value).toContain("POST /rpc/Shop/GetPet");
  expect((method.contents as { value: string }).value).toContain("404 `NotFound` (100)");

  // Definition and references go across imports.
  const [definition] = await editor.at<Location[]>("definition", apiPath, api.replace("[]Pet", "[]|Pet"));
  expect(definition).toEqual({
    uri: pathToFileURL(typesPath).href,
    range: { start: { line: 8, character: 7 }, end: { line: 8, character: 10 } },
  });
  const references = await editor.at<Location[]>(
    "references",
    typesPath,
    types.replace("enum Kind", "enum |Kind"),
    {
      context: { includeDeclaration: true },
    },
  );
  expect(references.map(({ uri, range }) => [uri.slice(uri.lastIndexOf("/") + 1), range.start.line])).toEqual(
    [
      ["api.ridl", 13],
      ["types.ridl", 3],
      ["types.ridl", 13],
    ],
  );

  // From a method to its handler, and back.
  const [implementation] = await editor.at<Location[]>(
    "implementation",
    apiPath,
    api.replace("GetPet", "GetP|et"),
  );
  expect(implementation?.uri).toBe(pathToFileURL(handlerPath).href);
  await editor.write(handlerPath, handler);
  const [back] = await editor.at<Location[]>(
    "definition",
    handlerPath,
    handler.replace('["GetPet', '["Get|Pet'),
  );
  expect(back).toMatchObject({ uri: pathToFileURL(apiPath).href, range: { start: { line: 12 } } });

  // A rename that would break the schema is refused, another is done in every file.
  const rename = (newName: string): Promise<WorkspaceEdit> =>
    editor.at("rename", typesPath, types.replace("struct Pet", "struct |Pet"), { newName });
  await expect(rename("Kind")).rejects.toThrow(/"Kind"/);
  await expect(rename("a b")).rejects.toThrow("is not a valid name");
  const { changes } = await rename("Animal");
  expect(Object.values(changes ?? {}).flat()).toHaveLength(3);
  const field: WorkspaceEdit = await editor.at("rename", typesPath, types.replace("- kind:", "- |kind:"), {
    newName: "species",
  });
  expect(field.changeAnnotations?.["wire"]?.description).toBe('"kind" becomes "species" in JSON');
  const value: WorkspaceEdit = await editor.at("rename", typesPath, types.replace("- CAT", "- |CAT"), {
    newName: "CATS",
  });
  expect(Object.values(value.changes ?? {}).flat()).toHaveLength(2);

  // What is half typed is completed.
  const broken = api.replace("(pets: []Pet)", "(pets: []");
  await editor.write(apiPath, broken);
  const list = await editor.at<CompletionList>(
    "completion",
    apiPath,
    broken.replace("(pets: []", "(pets: []|"),
  );
  expect(list.items.map(({ label }) => label)).toEqual(
    expect.arrayContaining(["Pet", "Kind", "uint64", "file"]),
  );

  // Faults come by themselves, with a fix.
  const wrong = api.replace("[]Pet", "[]Pte");
  await editor.write(apiPath, wrong);
  const faults = await editor.faults(apiPath, (all) =>
    all.some(({ message }) => String(message).includes("Pte")),
  );
  expect(faults).toHaveLength(1);
  const [fault] = faults;
  const actions = await editor.ask<CodeAction[]>("textDocument/codeAction", {
    textDocument: { uri: pathToFileURL(apiPath).href },
    range: fault?.range,
    context: { diagnostics: faults },
  });
  expect(Object.values(actions[0]?.edit?.changes ?? {}).flat()).toEqual([
    { range: fault?.range, newText: "Pet" },
  ]);
  await editor.write(apiPath, api);
  await editor.faults(apiPath, (all) => all.length === 0);

  // A fault of an imported file is told there, though that file is not open.
  await editor.write(typesPath, types.replace("kind: Kind", "kind: Knid"));
  await editor.faults(typesPath, (all) => all.length === 1);

  // Formatting changes what is not canonical, and nothing else.
  const loose = api.replace("  - GetPet", "     -   GetPet");
  await editor.write(apiPath, loose);
  const edits = await editor.ask<{ newText: string }[]>("textDocument/formatting", {
    textDocument: { uri: pathToFileURL(apiPath).href },
    options: { tabSize: 2, insertSpaces: true },
  });
  expect(edits).toHaveLength(1);
  const symbols = await editor.ask<{ name: string; children: { name: string }[] }[]>(
    "textDocument/documentSymbol",
    {
      textDocument: { uri: pathToFileURL(apiPath).href },
    },
  );
  expect(symbols.map(({ name }) => name)).toEqual(["NotFound", "Shop"]);
  expect(await editor.ask<{ name: string }[]>("workspace/symbol", { query: "listp" })).toMatchObject([
    { name: "ListPets" },
  ]);
  expect(editor.complaints).toBe("");
  expect(await editor.close()).toBe(0);
});

test("half a list in YAML is completed from what could be read before", async () => {
  const whole =
    "webrpc: v1\nname: t\nversion: v1\nbasepath: /rpc\nerrors:\n  Gone: { code: 7, message: gone }\nservices:\n  S:\n    methods:\n      Do:\n        errors: [Gone]\n";
  using project = folder({ "api.yaml": whole });
  const path = join(project.path, "api.yaml");
  await using editor = await Editor.open(project.path);
  await editor.write(path, whole);
  expect(await editor.at("documentSymbol", path, `${whole}|`)).toHaveLength(2);
  const half = whole.replace("[Gone]", "[");
  await editor.write(path, half);
  const list = await editor.at<CompletionList>("completion", path, half.replace("[", "[|"));
  expect(list.items.map(({ label }) => label)).toEqual(["Gone"]);
});

test("an invalid configuration is reported at its position, and files are checked alone meanwhile", async () => {
  using project = folder({
    "ridlkit.config.json": '{ "schemas": [{ "entyr": "api.ridl" }] }',
    "api.ridl": api,
  });
  await using editor = await Editor.open(project.path);
  await editor.write(join(project.path, "api.ridl"), api.replace("import\n  - types.ridl\n", ""));
  const [fault] = await editor.faults(join(project.path, "ridlkit.config.json"), (all) => all.length > 0);
  expect(fault?.message).toContain("schemas[0]");
  const faults = await editor.faults(join(project.path, "api.ridl"), (all) => all.length > 0);
  expect(faults.map(({ message }) => message).join()).toContain('"Pet"');
});
