import { readFileSync } from "node:fs";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import { typescript } from "../../../../generator/codegen/emit/validators/code.ts";
import { requestCheckCode } from "../../../../generator/codegen/emit/validators/index.ts";
import { planOf } from "../../../support/sample-plan.ts";

/** Prints code in esbuild's form, without types. */
function plain(code: string): string {
  return transformSync(`function check(v: any) {\n${code}\n}`, { loader: "ts" }).code;
}

test.each(["validation", "wire", "files", "routes", "shop"])(
  "checks of %s are the same in JavaScript as in TypeScript without types",
  (name) => {
    const text = readFileSync(new URL(`../../../fixtures/${name}/schema.ridl`, import.meta.url), "utf8");
    const plan = planOf({ "schema.ridl": text }, "schema.ridl", { int64: "bigint" });
    for (const method of plan.services.flatMap(({ methods }) => methods)) {
      const code = requestCheckCode(plan, method);
      expect(plain(code)).toBe(plain(requestCheckCode(plan, method, typescript)));
      // Code with types would not parse.
      expect(() => new Function("v", code)).not.toThrow();
    }
  },
);
