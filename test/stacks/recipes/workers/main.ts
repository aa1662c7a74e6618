import { fetchHandler } from "./generated/runtime/v1/fetch.ts";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers.ts";

export default { fetch: fetchHandler(createServer(handlers)) };
