import { expect, test } from "vitest";
import { SourceFile } from "../../../../generator/language/source/source-file.ts";
import { type CheckedConfig, checkConfig } from "../../../../generator/tools/config/check.ts";
import { projectName } from "../../../../generator/tools/config/name.ts";
import { parseJsonConfig, parseYamlConfig } from "../../../../generator/tools/config/parse.ts";
import { nodeOfValue } from "../../../../generator/tools/config/read.ts";

const whole = {
  strict: true,
  schemas: [
    {
      name: "public",
      entry: "api.ridl",
      strict: false,
      hashParity: true,
      schemaVersion: "v2",
      history: "schema/history",
      services: ["A", "B"],
      match: ["@public", "@auth:jwt"],
      methodTreeShake: true,
    },
    { entry: "api.ridl", ignore: ["@x"] },
  ],
};

/** `line:column message advice` of each fault. */
function faultsOf({ diagnostics }: CheckedConfig): string[] {
  return diagnostics.map(({ at, code, message, advice = "" }) => {
    const place = at?.file.positionAt(at.span.start);
    return `${place === undefined ? "-" : `${place.line}:${place.column}`} ${code} ${message} ${advice}`.trim();
  });
}

function checkJson(text: string): CheckedConfig {
  const { config, diagnostics } = parseJsonConfig(new SourceFile("c.json", text));
  return config === undefined ? { config, diagnostics } : checkConfig(config);
}

async function checkYaml(text: string): Promise<CheckedConfig> {
  const { config, diagnostics } = await parseYamlConfig(new SourceFile("c.yaml", text));
  return config === undefined ? { config, diagnostics } : checkConfig(config);
}

function checkValue(value: unknown): CheckedConfig {
  return checkConfig({ path: "c.ts", root: nodeOfValue(value) });
}

test("every setting comes through from JSON, YAML and a script", async () => {
  const text = JSON.stringify(whole);
  for (const checked of [checkJson(text), await checkYaml(text), checkValue(whole)]) {
    expect(checked).toEqual({ config: whole, diagnostics: [] });
  }
});

test("what a script leaves undefined is left out", () => {
  const { config } = checkValue({ strict: undefined, schemas: [{ entry: "a.ridl", name: undefined }] });
  expect(config).toEqual({ schemas: [{ entry: "a.ridl" }] });
});

test.each([
  ['{ "schemas": "a.ridl" }', ['1:14 RK803 schemas must be a list of at least one schema, found "a.ridl".']],
  ['{ "schemas": [] }', ["1:14 RK803 schemas must be a list of at least one schema, found an empty list."]],
  ["{}", ["1:1 RK804 schemas is missing; it must be a list of at least one schema."]],
  ["[]", ["1:1 RK803 The configuration must be an object, found an empty list."]],
  [
    '{ "schemas": ["a.ridl"] }',
    ['1:15 RK803 schemas[0] must be an object such as { "entry": "schema/api.ridl" }, found "a.ridl".'],
  ],
  [
    '{ "schema": [], "schemas": [{ "entry": "" }], "strict": 1 }',
    [
      '1:3 RK802 There is no setting "schema". Did you mean "schemas"?',
      '1:40 RK803 schemas[0].entry must be a non-empty string, found "".',
      "1:57 RK803 strict must be true or false, found 1.",
    ],
  ],
  [
    '{ "schemas": [{ "entry": "a", "zzzzzz": 1, "constructor": 2 }] }',
    [
      '1:31 RK802 There is no setting "schemas[0].zzzzzz". Known settings: name, entry, strict, lint, hashParity, schemaVersion, services, match, ignore, methodTreeShake, out, handlers, context, targets, adapters, protocolErrors, int64, timestamps, enums, importExtension, runtime, history, templates, openapi.',
      '1:44 RK802 There is no setting "schemas[0].constructor". Known settings: name, entry, strict, lint, hashParity, schemaVersion, services, match, ignore, methodTreeShake, out, handlers, context, targets, adapters, protocolErrors, int64, timestamps, enums, importExtension, runtime, history, templates, openapi.',
    ],
  ],
  [
    '{ "schemas": [{ "entry": "a", "services": ["A", 1, null], "match": ["x", "@a,@b"] }] }',
    [
      "1:49 RK803 schemas[0].services[1] must be a non-empty string, found 1.",
      "1:52 RK803 schemas[0].services[2] must be a non-empty string, found null.",
      '1:69 RK803 schemas[0].match[0] must be an annotation such as "@internal" or "@auth:jwt", found "x".',
      '1:74 RK803 schemas[0].match[1] must be an annotation such as "@internal" or "@auth:jwt", found "@a,@b".',
    ],
  ],
  [
    '{ "schemas": [{ "entry": "a", "enums": "Open" }] }',
    ['1:40 RK803 schemas[0].enums must be "open" or "closed", found "Open".'],
  ],
  [
    '{ "schemas": [{ "entry": "a", "match": ["@x"], "ignore": ["@y"] }] }',
    ['1:48 RK805 schemas[0] has both "match" and "ignore". Keep only one of them.'],
  ],
  [
    '{ "strict": true, "strict": false, "schemas": [{ "entry": "a" }] }',
    ['1:19 RK807 The setting "strict" is given twice. Keep one of them.'],
  ],
  [
    '{ "schemas": [{ "entry": "x/api.ridl" }, { "entry": "y/api.ridl" }, { "entry": "z", "name": "api" }] }',
    [
      '1:53 RK806 Two schemas are named "api". Give each schema its own "name"; the default is the file name of its entry.',
      '1:93 RK806 Two schemas are named "api". Give each schema its own "name"; the default is the file name of its entry.',
    ],
  ],
  [
    '{ "schemas": [{ "entry": ',
    ["1:26 RK801 The configuration is not valid JSON: expected a value, found the end of the file."],
  ],
])("%s is refused", (text, faults) => {
  const checked = checkJson(text);
  expect(checked.config).toBeUndefined();
  expect(faultsOf(checked)).toEqual(faults);
});

test.each([
  ["schemas:\n  - entry: 7\n", ["2:12 RK803 schemas[0].entry must be a non-empty string, found 7."]],
  ["schemas:\n  - entry:\n", ["2:11 RK803 schemas[0].entry must be a non-empty string, found null."]],
  [
    "schemas:\n  - entry: a\n    1: x\n",
    [expect.stringMatching(/^3:5 RK802 There is no setting "schemas\[0\].1"/)],
  ],
  ["schemas: [{ entry }]\n", ["- RK803 schemas[0].entry must be a non-empty string, found null."]],
  [
    "strict: !!omap [x: 1]\nschemas: [{ entry: !!binary aGk= }]\n",
    [
      "1:16 RK803 strict must be true or false, found a list.",
      "2:29 RK803 schemas[0].entry must be a non-empty string, found a value of another kind.",
    ],
  ],
  [
    "%YAML 1.1\n---\nschemas: [{ entry: a, strict: yes }]\n",
    ['3:31 RK803 schemas[0].strict must be true or false, found "yes".'],
  ],
  [
    "schemas: &a\n  - entry: x\nstrict: *a\n",
    ["3:9 RK803 strict must be true or false, found an alias or an ordered map."],
  ],
  [
    "schemas:\n\t- entry: a\n",
    [expect.stringMatching(/^2:1 RK801 The configuration is not valid YAML: tabs/)],
  ],
  [
    "a: 1\na: 2\n",
    [expect.stringMatching(/^2:1 RK801 The configuration is not valid YAML: map keys must be unique/)],
  ],
  [
    "schemas: [{ entry: a }]\n---\nb: 1\n",
    [expect.stringMatching(/RK801 The configuration is not valid YAML: /)],
  ],
])("%j in YAML is refused", async (text, faults) => {
  const checked = await checkYaml(text);
  expect(checked.config).toBeUndefined();
  expect(faultsOf(checked)).toEqual(faults);
});

const endless: { schemas?: unknown } = {};
endless.schemas = [{ entry: "a", name: endless }];

test.each([
  [undefined, ["- RK803 The configuration must be an object, found nothing."]],
  [() => ({}), ["- RK803 The configuration must be an object, found a function."]],
  [
    { schemas: [{ entry: Symbol("x"), services: [undefined] }] },
    [
      "- RK803 schemas[0].entry must be a non-empty string, found a symbol.",
      "- RK803 schemas[0].services[0] must be a non-empty string, found nothing.",
    ],
  ],
  [endless, ["- RK803 schemas[0].name must be a non-empty string, found an object."]],
])("a script that exports %s is refused by the path of the key", (value, faults) => {
  const checked = checkValue(value);
  expect(faultsOf(checked)).toEqual(faults);
  expect(checked.diagnostics.every(({ path }) => path === "c.ts")).toBe(true);
});

test("a schema is called by its name, or by the file name of its entry", () => {
  expect(projectName({ entry: "a/b.v2.ridl" })).toBe("b.v2");
  expect(projectName({ entry: "a/b.ridl", name: "c" })).toBe("c");
});

test('"$schema" is for editors and no setting', () => {
  const text = '{ "$schema": "./ridlkit.config.schema.json", "schemas": [{ "entry": "api.ridl" }] }';
  expect(faultsOf(checkJson(text))).toEqual([]);
  expect(faultsOf(checkJson(text.replace('"./ridlkit.config.schema.json"', "1")))).toHaveLength(1);
});

test.each([
  ["targets", "clients", 'Did you mean "client"?'],
  ["adapters", "expres", 'Did you mean "express"?'],
  ["targets", "zzzzzz", undefined],
])("a misspelled name in %s, %s, has the advice %j", (key, name, advice) => {
  const { diagnostics } = checkJson(`{"schemas":[{"entry":"a.ridl","${key}":["${name}"]}]}`);
  expect(diagnostics.map((one) => [one.code, one.advice])).toEqual([["RK803", advice]]);
});
