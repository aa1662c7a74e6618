import { expect, test } from "vitest";
import { compile } from "../../../generator/compile.ts";
import { emitTypes } from "../../../generator/emit/types/index.ts";
import { hashIr, writeIr } from "../../../generator/ir/write.ts";
import { buildPlan } from "../../../generator/plan/build.ts";
import { memoryReader } from "../../support/memory-reader.ts";

test("types read as if written by hand", () => {
  const text =
    'webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n# A person.\nstruct User\n  # Their id.\n  - id: uint64\n  - a?: map<string,[]User>\n    + deprecated = "use b"\n  - n?: int\n    + nullable = always\nstruct E\nenum Kind: int\n  # first\n  - A\n  - B\ntype Ids: []bigint\nservice S\n  - M(x: int) => (y?: Kind)\n';
  const { result } = compile("m.ridl", memoryReader({ "m.ridl": text }));
  if (result === undefined) throw new Error("refused");
  const irText = writeIr(result.ir);
  const plan = buildPlan({ model: result.model, schemaFile: "m.ridl", irText, schemaHash: hashIr(irText) });
  const [file] = emitTypes(plan);
  expect(file?.text.slice(file.text.indexOf("/** A person."))).toMatchInlineSnapshot(`
    "/** A person. */
    export interface User {
      /** Their id. */
      id: number;
      /** @deprecated use b */
      a?: Record<string, User[]>;
      n: number | null;
    }

    export interface E {}

    export interface MRequest {
      x: number;
    }

    export interface MResponse {
      y?: Kind;
    }
    "
  `);
});
