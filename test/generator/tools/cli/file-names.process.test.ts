/** Every path that ridlkit makes from a schema is valid on Windows, macOS and Linux. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { targetNames } from "../../../../generator/codegen/options.ts";
import { fileNameFault } from "../../../../generator/codegen/plan/names.ts";
import { folder, ridlkit } from "../../../support/program.ts";

const long = `Get${"Long".repeat(70)}`;
const names = [
  "Con",
  "PRN",
  "aux",
  "Nul",
  "Com1",
  "LPT9",
  "Com0",
  "ConService",
  "Ordinary",
  long,
  `${long}er`,
];

const schema = `webrpc = v1
name = aux
version = v1.0.0
basepath = /rpc

error 1 Con "con" HTTP 400

struct Nul
  - con: string

enum Prn: string
  - AUX

${names.map((service) => `service ${service}\n${names.map((method) => `  - ${method}(nul: Nul) => (prn: Prn)`).join("\n")}\n`).join("\n")}`;

/** An independent reading of Microsoft's "Naming Files, Paths, and Namespaces". */
const invalid = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])([. ].*)?$|[. ]$|[<>:"|?*\\]|[\0-\x1f]/i;

test("every path is portable", async () => {
  const config = {
    schemas: [
      {
        entry: "con.schema.ridl",
        out: "generated",
        handlers: "handlers",
        history: "history",
        targets: targetNames.filter((name) => name !== "explorer"),
      },
    ],
  };
  using dir = folder({ "con.schema.ridl": schema, "ridlkit.config.json": JSON.stringify(config) });
  for (const command of [["history", "add"], ["generate"], ["scaffold"]])
    expect(await ridlkit(command, { cwd: dir.path })).toMatchObject({ code: 0 });
  const paths = readdirSync(dir.path, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path !== "con.schema.ridl");
  expect(paths.length).toBeGreaterThan(names.length ** 2);
  const segments = new Set(paths.flatMap((path) => path.split("/")));
  expect([...segments].filter((segment) => invalid.test(segment) || segment.length > 240)).toEqual([]);
  expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
});

test.each(
  [
    ["con.", "CON", "con.txt", "Com1.x.y", "aux .txt", "lpt¹", "com³.md", "conin$", "NUL", "PRN.md"],
    ["a.", "a ", "a:b", "a*", 'a"', "a?", "a<", "a>", "a|", "a\\b", "a\u0001", "", ".", ".."],
  ].flat(),
)("%j is no portable file name", (name) => {
  expect(fileNameFault(name)).toBeDefined();
});

test.each(["con1", "icon", "com", "com10", "lpt", "auxiliary.txt", "a.con", ".con", "a b", "é", "COM1X"])(
  "%j is one",
  (name) => {
    expect(fileNameFault(name)).toBeUndefined();
  },
);
