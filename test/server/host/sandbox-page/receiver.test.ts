import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { Receiver } from "../../../../server/host/sandbox-page/receiver.ts";
import { generateSecret } from "../../../../server/webhooks/secret.ts";

const url = "http://127.0.0.1:4000/sandbox/receiver";

/** Creates a receiver for one listener, and a function that calls it like that listener's deliveries. */
function openReceiver() {
  const secret = generateSecret();
  const receiver = new Receiver({
    database: { query: async () => [{ id: "1", secret: Buffer.from(secret), previous: null }] as never },
    secrets: { keyIds: [], seal: (text) => Buffer.from(text), open: (sealed) => sealed.toString() },
  });
  const send = (id: string, body: string, signed = body): Promise<number> => {
    const at = new Date();
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign(id, at, signed),
    };
    return receiver.receive({ url, headers, body });
  };
  return { receiver, send };
}

test("lists signed notifications, each once", async () => {
  const { receiver, send } = openReceiver();
  expect(await send("a", '{"n":1}')).toBe(204);
  expect(await send("b", '{"n":2}')).toBe(204);
  expect(await send("a", '{"n":1}')).toBe(204);
  expect(await send("c", '{"n":3}', '{"n":4}')).toBe(400);
  expect(receiver.arrived()).toEqual([
    { id: "a", notification: { n: 1 } },
    { id: "b", notification: { n: 2 } },
  ]);
  receiver.respondWith(503);
  expect(await send("d", "{}")).toBe(503);
});

test.each([
  [19_999, 19_999, 1],
  [20_000, 20_000, 0],
  [20_001, 20_000, 0],
])("of a body of %i characters %i are shown; %i such bodies are complete", async (length, shown, whole) => {
  const { receiver, send } = openReceiver();
  await send("a", `"${"x".repeat(length - 2)}"`);
  expect(receiver.shown(url).calls[0]?.body).toHaveLength(shown);
  expect(receiver.arrived()).toHaveLength(whole);
});

test.each([49, 50, 51])("of %i calls the newest 50 are stored", async (count) => {
  const { receiver, send } = openReceiver();
  for (let number = 1; number <= count; number++) await send(String(number), "{}");
  const { calls } = receiver.shown(url);
  expect(calls).toHaveLength(Math.min(count, 50));
  expect(calls[0]?.number).toBe(count);
});
