import { createServer as createHttpServer } from "node:http";
import { BatchSpanProcessor, ConsoleSpanExporter, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { nodeListener } from "ridlkit-runtime/node";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers.ts";
import { endSpan, traced } from "./traced.ts";

new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new ConsoleSpanExporter())] }).register();
const server = createServer(handlers, { onResponse: endSpan });
createHttpServer(traced(nodeListener(server))).listen(Number(process.env["PORT"]));
