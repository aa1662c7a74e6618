import { createServer as createHttpServer } from "node:http";
import { BatchSpanProcessor, ConsoleSpanExporter, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { nodeListener } from "ridlkit-runtime/node";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers.ts";
import { traced } from "./traced.ts";

new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new ConsoleSpanExporter())] }).register();
const server = createServer(handlers, { around: [traced] });
createHttpServer(nodeListener(server)).listen(Number(process.env["PORT"]));
