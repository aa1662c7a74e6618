import { mkdirSync, writeFileSync, readFileSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "vitest";
import { emitClient } from "../../generator/emit/client/index.ts";
import { emitErrors } from "../../generator/emit/errors/index.ts";
import { emitTypes } from "../../generator/emit/types/index.ts";
import { planOf, samplePlan } from "../support/sample-plan.ts";
test("x", () => {
  const files: Record<string,string> = {};
  const walk = (d: string) => { for (const e of readdirSync(d, {withFileTypes:true})) e.isDirectory() ? walk(`${d}/${e.name}`) : e.name.endsWith(".ridl") && (files[`${d}/${e.name}`]=readFileSync(`${d}/${e.name}`,"utf8")); };
  walk("schema");
  for (const [dir, plan] of [["sample", samplePlan()], ["platform", planOf(files, "schema/platform.ridl", {"-8":{name:"WebrpcClientDisconnected",message:"client disconnected"}})]] as const)
  for (const f of [...emitTypes(plan), ...emitErrors(plan), ...emitClient(plan)]) { const p=`/tmp/ridl-client-scratch/out/${dir}/${f.path}`; mkdirSync(dirname(p),{recursive:true}); writeFileSync(p,f.text); }
});
