// A webhook receiver that verifies signatures and handles each notification once.
//   WEBHOOK_SECRET=whsec_… node client/examples/receiver.mjs
import { createServer } from "node:http";
import { verifyWebhook, WebhookRefusal } from "platform-client";

const secret = process.env.WEBHOOK_SECRET;
if (!secret) {
  console.error("WEBHOOK_SECRET is missing: set it to the secret that AddWebhookListener returned, whsec_…");
  process.exit(2);
}
const seen = new Set();

const server = createServer(async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  try {
    const request = { headers: req.headers, body: Buffer.concat(chunks) };
    const { id, notification } = verifyWebhook(request, secret);
    if (!seen.has(id))
      console.log(notification.type, notification.event.eventSig, notification.event.values.join(" "));
    seen.add(id);
    res.writeHead(204).end();
  } catch (err) {
    if (!(err instanceof WebhookRefusal)) throw err;
    res.writeHead(400).end(err.message);
  }
});
server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});
