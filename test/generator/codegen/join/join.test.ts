import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { join } from "../../../../generator/codegen/join/join.ts";
import { joinedFile } from "../../../../generator/codegen/join/joined-file.ts";
import { routedSources, runtimePath } from "../../../../generator/codegen/join/runtime-modules.ts";
import { runtimeText } from "../../../../generator/codegen/join/runtime-text.ts";
import { parsePart, parseSource } from "../../../../generator/codegen/join/statements.ts";

describe("parsing a file", () => {
  test.each([
    ["// Code\n\nconst a = 1;\n", "// Code", [], "const a = 1;"],
    [
      '/** Of the file. */\nimport { a } from "./a.ts";\n\nconst b = a;\n',
      "/** Of the file. */",
      ["./a.ts"],
      "const b = a;",
    ],
    ["/** Of b. */\nconst b = 1;\n", "", [], "/** Of b. */\nconst b = 1;"],
    ['// Code\nexport { a } from "./a.ts";\n', "// Code", ["./a.ts"], ""],
    ['import {\n  a,\n  type B,\n} from "./a.ts";\n', "", ["./a.ts"], ""],
    ["", "", [], ""],
  ])("%j", (text, head, imported, body) => {
    const parts = parseSource(text);
    expect(parts.head).toBe(head);
    expect(parts.statements.map(({ from }) => from)).toEqual(imported);
    expect(parts.body).toBe(body);
  });
});

describe("joining parts to a file", () => {
  const file = (...parts: readonly (readonly [string, string])[]): string =>
    joinedFile(
      "all.ts",
      parts.map(([path, text]) => parsePart({ path, text })),
      (path) => (path.startsWith("parts/") ? "all.ts" : path),
    );

  test("puts each part after its imports, without imports between parts", () => {
    expect(
      file(
        ["parts/b.ts", '// Code\nimport { a } from "./a.ts";\n\nexport const b = a;\n'],
        ["parts/a.ts", "// Code\n\nexport const a = 1;\n"],
      ),
    ).toBe("// Code\n\nexport const a = 1;\n\nexport const b = a;\n");
  });

  test("merges imports relative to the file; a value import includes its types", () => {
    expect(
      file(
        [
          "parts/a.ts",
          '// Code\nimport type { X } from "../x.ts";\nimport type { T } from "koa";\n\nlet a: X;\n',
        ],
        [
          "parts/b.ts",
          '// Code\nimport { X as X, y } from "../x.ts";\nimport { z } from "node:fs";\n\ny();\n',
        ],
      ),
    ).toBe(
      '// Code\nimport { z } from "node:fs";\nimport type { T } from "koa";\nimport { X, y } from "./x.ts";\n\nlet a: X;\n\ny();\n',
    );
  });

  test.each([
    [109, 1],
    [110, 1],
    [111, 4],
  ])("an import of %i characters has %i lines", (width, lines) => {
    const name = "x".repeat(width - 'import { a,  } from "./x.ts";'.length);
    const text = file(["parts/a.ts", `// Code\nimport { ${name}, a } from "../x.ts";\n\na(${name});\n`]);
    expect(text.split("\n").slice(1, -3)).toHaveLength(lines);
  });

  test("tells a value called type from a type", () => {
    const imports = 'import { type, type as t, type U, type V as W } from "./x.ts";';
    const text = `// Code\n${imports.replace("./x.ts", "../x.ts")}\n\ntype(t);\n`;
    expect(file(["parts/a.ts", text])).toBe(`// Code\n${imports}\n\ntype(t);\n`);
  });

  test("joins circular imports in their original order", () => {
    expect(
      file(
        ["parts/a.ts", '// Code\nimport type { B } from "./b.ts";\n\ntype A = B[];\n'],
        ["parts/b.ts", '// Code\nimport type { A } from "./a.ts";\n\ntype B = A;\n'],
      ),
    ).toBe("// Code\n\ntype B = A;\n\ntype A = B[];\n");
  });

  test("rejects one local name for two imports", () => {
    expect(() =>
      file(
        ["parts/a.ts", '// Code\nimport { x } from "../x.ts";\n\nx();\n'],
        ["parts/b.ts", '// Code\nimport { y as x } from "../x.ts";\n\nx();\n'],
      ),
    ).toThrow('"x" is two names of ./x.ts');
  });
});

describe("the runtime", () => {
  const folder = new URL("../../../../generator/codegen/runtime/v1/", import.meta.url);
  const sources = readdirSync(folder).map((name) => ({
    path: `runtime/v1/${name}`,
    text: runtimeText(readFileSync(new URL(name, folder), "utf8"), new Set(["keys", "reads"])),
  }));
  const modules = new Map(
    [...new Set(sources.map(({ path }) => runtimePath(path)))].map((module) => [
      module,
      sources.filter(({ path }) => runtimePath(path) === module),
    ]),
  );

  test("has a module for each purpose", () => {
    expect([...modules.keys()].sort()).toEqual(
      [
        "client",
        "common",
        "explorer",
        "fetch",
        "koa",
        "mcp",
        "node-http",
        "recorder",
        "server",
        "tanstack-query",
        "transport-undici",
        "uploads",
      ].map((name) => `runtime/v1/${name}.ts`),
    );
  });

  test("declares no name twice in a module, and Koa's none of Node's", () => {
    const replacing = Object.values(routedSources);
    const unrouted = [...modules].map(
      ([path, parts]) => [path, parts.filter((part) => !replacing.includes(basename(part.path)))] as const,
    );
    const replaced = Object.keys(routedSources);
    const routed = [...modules].map(
      ([path, parts]) => [path, parts.filter((part) => !replaced.includes(basename(part.path)))] as const,
    );
    for (const [path, parts] of [
      ...unrouted,
      ...routed,
      [
        "koa alone",
        sources.filter(
          ({ path: each }) =>
            !each.endsWith("/node-http.ts") && runtimePath(each, true) === "runtime/v1/koa.ts",
        ),
      ] as const,
    ]) {
      // Overloads of a function follow each other.
      const names = parts.flatMap(({ text }) =>
        [...text.matchAll(declaration)]
          .map((match) => match[1] ?? "")
          .filter((name, at, all) => name !== all[at - 1]),
      );
      expect([path, names.filter((name, at) => names.indexOf(name) !== at)]).toEqual([path, []]);
    }
  });

  test("declares no name of a global, which other parts of its module may use", () => {
    const globals = new Set(Object.getOwnPropertyNames(globalThis));
    const shadowed = sources.flatMap(({ path, text }) =>
      [...text.matchAll(declaration)].flatMap(([, name = ""]) =>
        globals.has(name) ? [`${path}: ${name}`] : [],
      ),
    );
    expect(shadowed).toEqual([]);
  });

  test("imports at the top of its sources only, and nothing by another name", () => {
    for (const { path, text } of sources) {
      const { body, statements } = parseSource(text);
      expect([path, /^(import|export [^;]*from) /m.exec(body)?.[0]]).toEqual([path, undefined]);
      const renamed = statements.flatMap(({ names }) => names.filter(({ name, local }) => name !== local));
      expect([path, renamed]).toEqual([path, []]);
    }
  });

  test("modules import each other in no circle", () => {
    const imported = new Map(
      [...modules].map(([path, parts]) => [
        path,
        new Set(
          parts.flatMap((part) =>
            parseSource(part.text)
              .statements.filter(({ from }) => from.startsWith("./"))
              .map(({ from }) => runtimePath(`runtime/v1/${from.slice(2)}`))
              .filter((target) => target !== path),
          ),
        ),
      ]),
    );
    const left = new Set(imported.keys());
    for (let size = -1; size !== left.size; ) {
      size = left.size;
      for (const path of left)
        if (![...(imported.get(path) ?? [])].some((each) => left.has(each))) left.delete(path);
    }
    expect([...left]).toEqual([]);
  });

  test("contains only what the files of a project need", () => {
    const emitted = [
      {
        path: "types.ts",
        text: '// Code\nimport type { UploadedFile } from "./runtime/v1/uploaded-file.ts";\n\nlet a: UploadedFile;\n',
      },
    ];
    const files = join(emitted, [], "single");
    expect(files.map(({ path }) => path)).toEqual(["types.ts", "runtime/v1/common.ts"]);
    expect(files[0]?.text).toContain('from "./runtime/v1/common.ts"');
    expect(files[1]?.text).not.toContain("class RpcError");
  });

  test("contains only the validation functions that validators use", () => {
    const common = (body: string): string => {
      const text = `// Code\nimport * as v from "./runtime/v1/validation.ts";\n\n${body}\n`;
      return join([{ path: "validators.ts", text }], [], "single")[1]?.text ?? "";
    };
    expect(common("v.isText(1);")).toContain("function isText");
    expect(common("v.isText(1);")).not.toContain("isUtcTimestamp");
    expect(common("v.isUtcTimestamp(1);")).toContain("function isUtcTimestamp");
  });

  test("has no Node module in a project with only Koa", () => {
    const paths = (...roots: string[]): string[] => join([], roots, "single").map(({ path }) => path);
    expect(paths("koa.ts")).not.toContain("runtime/v1/node-http.ts");
    expect(paths("koa.ts", "node-http.ts")).toContain("runtime/v1/node-http.ts");
    expect(paths("fetch.ts").map((path) => path.slice("runtime/v1/".length))).toEqual([
      "common.ts",
      "server.ts",
      "fetch.ts",
    ]);
  });
});

const declaration =
  /^(?:export )?(?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
