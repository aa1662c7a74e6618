import { expect, test } from "vitest";
import { emitOpenapi } from "../../generator/codegen/emit/openapi/index.ts";
import { planOf } from "../support/sample-plan.ts";

const header = "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n";
const securitySchemes = { key: { type: "http" }, token: { type: "http" } };

test.each([
  ["no annotation", "", undefined],
  ["one scheme", '@auth:"key"', [{ key: [] }]],
  ["two schemes", '@auth:"key,token"', [{ key: [], token: [] }]],
  ["blanks around schemes", '@auth:" key , token ,"', [{ key: [], token: [] }]],
  ["an undeclared scheme", '@auth:"key, other"', [{ key: [] }]],
  ["undeclared schemes only", '@auth:"other"', undefined],
])("a method with %s", (_, annotation, security) => {
  const plan = planOf({ "m.ridl": `${header}service S\n  ${annotation}\n  - M()\n` }, "m.ridl");
  const [file] = emitOpenapi(plan, { format: "json", securitySchemes });
  expect(JSON.parse(file?.text ?? "").paths["/rpc/S/M"].post.security).toEqual(security);
});
