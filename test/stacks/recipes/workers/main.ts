import { fetchHandler } from "ridlkit-runtime/fetch";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers.ts";

export default { fetch: fetchHandler(createServer(handlers)) };
