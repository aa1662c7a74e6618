import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { verifyWebhook, WebhookRefusal } from "../../client/index.ts";
import { createSigner } from "../../server/webhooks/delivery/outcome.ts";

const secret = `whsec_${randomBytes(32).toString("base64")}`;
const other = `whsec_${randomBytes(32).toString("base64")}`;
const body = JSON.stringify({ uid: "u", type: "BLOCK_ADDED", sequence: 1, ts: "2026-01-01T00:00:00Z – ü" });

/** Signs like the platform. */
function signed(text = body, at = new Date(), id = "u-1"): Readonly<Record<string, string>> {
  return createSigner([secret])({ id, at, body: text });
}

describe("a call that is signed with the secret", () => {
  test("is read from a Request, from bytes and from text", async () => {
    const headers = signed();
    const request = new Request("http://127.0.0.1/hook", { method: "POST", headers, body });
    const whole = { id: "u-1", notification: JSON.parse(body) as object };
    expect(await verifyWebhook(request, secret)).toEqual(whole);
    expect(verifyWebhook({ headers, body: new TextEncoder().encode(body) }, secret)).toEqual(whole);
    expect(verifyWebhook({ headers: new Headers(headers), body }, secret)).toEqual(whole);
  });

  test("is read with its headers' names in any letter case", () => {
    const headers = Object.fromEntries(
      Object.entries(signed()).map(([name, value]) => [name.replace("webhook", "Webhook"), value]),
    );
    expect(verifyWebhook({ headers, body }, secret).id).toBe("u-1");
  });

  test("is read with a list for each header, as in `req.headersDistinct`", () => {
    const headers = Object.fromEntries(
      Object.entries(signed()).map(([name, value]) => [name, [value, "second"]]),
    );
    expect(verifyWebhook({ headers, body }, secret).id).toBe("u-1");
  });

  test("is accepted while the secret is being replaced", () => {
    expect(verifyWebhook({ headers: signed(), body }, [other, secret]).id).toBe("u-1");
  });
});

describe("any other call is rejected", () => {
  const minutes = (count: number): Date => new Date(Date.now() + count * 60_000);
  test.each([
    ["another secret's", signed(), body, other],
    ["a changed body", signed(), body.replace("1", "2"), secret],
    ["a changed id", { ...signed(), "webhook-id": "u-2" }, body, secret],
    ["too old", signed(body, minutes(-6)), body, secret],
    ["from the future", signed(body, minutes(6)), body, secret],
    ["without a signature", { "webhook-id": "u-1", "webhook-timestamp": "1" }, body, secret],
    ["no body", signed(), "", secret],
  ])("%s", (_, headers, text, key) => {
    expect(() => verifyWebhook({ headers, body: text }, key)).toThrow(WebhookRefusal);
  });

  test("a Request too, by a rejected promise", async () => {
    const request = new Request("http://127.0.0.1/hook", { method: "POST", headers: signed(), body });
    await expect(verifyWebhook(request, other)).rejects.toThrow(WebhookRefusal);
  });

  test("a missing secret is an error", () => {
    for (const none of [[], "", [secret, ""]])
      expect(() => verifyWebhook({ headers: signed(), body }, none)).toThrow(
        "needs the listener's secret: whsec_…",
      );
  });
});
