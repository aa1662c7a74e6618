import type { Context } from "koa";
import type { Call } from "ridlkit-runtime/options";
import type { SchemaErrorName } from "../../../generated/server.ts";

/** A call of this host, as its hooks see it. */
export type HostCall = Call<SchemaErrorName, Context>;
