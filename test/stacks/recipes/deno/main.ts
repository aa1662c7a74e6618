import { fetchHandler } from "ridlkit-runtime/fetch";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers.ts";

Deno.serve({ port: Number(Deno.env.get("PORT")) }, fetchHandler(createServer(handlers)));
