import { readFileSync } from "node:fs";
import { compile } from "../../generator/compile.ts";
import { irText, schemaHash } from "../../generator/ir/write.ts";
import { buildPlan } from "../../generator/plan/build.ts";
import type { Plan } from "../../generator/plan/plan.ts";
