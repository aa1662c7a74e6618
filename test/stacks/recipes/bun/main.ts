import { fetchHandler } from "ridlkit-runtime/fetch";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers.ts";

Bun.serve({ port: Number(Bun.env["PORT"]), fetch: fetchHandler(createServer(handlers)) });
