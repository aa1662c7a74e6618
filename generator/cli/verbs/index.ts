import type { Verb } from "../verb.ts";
import { check } from "./check.ts";
import { convert } from "./convert.ts";
import { dev } from "./dev.ts";
import { doctor } from "./doctor.ts";
import { explain } from "./explain.ts";
import { format } from "./format.ts";
import { generate } from "./generate.ts";
import { init } from "./init.ts";
import { ir } from "./ir.ts";
import { lint } from "./lint.ts";
import { scaffold } from "./scaffold.ts";

/** Every verb, in the order of the help. */
export const verbs: readonly Verb[] = [
  lint,
  format,
  convert,
  explain,
  generate,
  check,
  scaffold,
  dev,
  init,
  doctor,
  ir,
];
