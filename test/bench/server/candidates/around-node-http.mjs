import { createServer as createHttpServer } from "node:http";
import { nodeListener } from "ridlkit-runtime/node";
import { createServer } from "../.build/generated/server.ts";
import { handlers } from "./handlers.mjs";
import { report } from "./report.mjs";

const around = [async (_ctx, _req, next) => await next()];
report(createHttpServer(nodeListener(createServer(handlers, { around }))));
