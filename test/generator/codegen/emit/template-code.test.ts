import Handlebars from "handlebars";
import { expect, test } from "vitest";
import { type BuiltinTemplate, template } from "../../../../generator/codegen/emit/render.ts";
import { templateCode } from "../../../../generator/codegen/emit/template-code.mjs";

const view = {
  name: "Pet",
  none: undefined,
  no: null,
  code: 0,
  isOld: false,
  empty: [],
  files: { errors: "errors2" },
  pets: [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is data
    { name: "`a` ${b} \\n", tags: ["x", "y"] },
    { name: "c", tags: [] },
  ],
};

/** Runs a template as compiled code and with Handlebars. */
function bothOf(text: string): { readonly own: () => string; readonly theirs: () => string } {
  const print = new Function(`return ${templateCode(text)};`)() as BuiltinTemplate["print"];
  const theirs = Handlebars.compile(text, { noEscape: true, strict: true, preventIndent: true });
  return { own: () => template({ name: "t", print })(view), theirs: () => theirs(view) };
}

test.each([
  ["names", "{{name}}: {{none}}{{no}}{{code}}{{isOld}}<&>"],
  ["a path", "{{files.errors}}"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template's text
  ["signs that mean something in a template of JavaScript", "`\\ ${name} $ {{name}} \\u0041\n"],
  ["lines with nothing but a tag", "a\n{{#if name}}\nb\n{{/if}}\n  {{#each pets}}\n  c\n  {{/each}}\nd\n"],
  [
    "if and else",
    "{{#if empty}}1{{else}}2{{/if}}{{#if pets}}3{{/if}}{{#if code}}4{{/if}}{{#if none}}5{{/if}}",
  ],
  [
    "each in each",
    "{{#each pets}}{{name}} of {{../name}}{{#each tags}} {{this}}{{../name}}{{../../name}}{{/each}};{{/each}}",
  ],
  [
    "an if inside of each, which is no level",
    "{{#each pets}}{{#if tags}}{{name}}{{../name}}{{/if}}{{/each}}",
  ],
  ["nothing to go through", "{{#each empty}}a{{/each}}{{#each none}}b{{/each}}"],
  ["two of the same in a row", "{{#each pets}}{{name}}{{/each}}{{#each pets}}{{name}}{{/each}}"],
])("a built-in template prints what Handlebars prints: %s", (_says, text) => {
  const { own, theirs } = bothOf(text);
  expect(own()).toBe(theirs());
});

test("a key that the view does not have is an error", () => {
  for (const text of ["{{nmae}}", "{{#if nmae}}a{{/if}}", "{{#each pets}}{{nmae}}{{/each}}"]) {
    expect(bothOf(text).own).toThrow('"nmae" is not in the view');
  }
});

test.each([
  "{{> part}}",
  "{{upper name}}",
  "{{#each pets}}{{@index}}{{/each}}",
  "{{#with name}}{{/with}}",
  "{{../name}}",
])("built-in templates that use a rejected feature fail the build: %s", (text) => {
  expect(() => templateCode(text)).toThrow(/line 1: built-in templates cannot use/);
});
