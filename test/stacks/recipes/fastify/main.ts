import fastify from "fastify";
import { nodeListener } from "ridlkit-runtime/node";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers.ts";

const app = fastify();
const listener = nodeListener(createServer(handlers));
app.register(async (api) => {
  // The body is read by the generated server.
  api.removeAllContentTypeParsers();
  api.addContentTypeParser("*", (_request, _payload, done) => done(null));
  api.all("/rpc/*", (request, reply) => {
    reply.hijack();
    listener(request.raw, reply.raw);
  });
});
await app.listen({ port: Number(process.env["PORT"]) });
