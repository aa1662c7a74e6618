import { createSecretKey, generateKeyPairSync } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { createSigner } from "../../../server/webhooks/delivery/outcome.ts";
import { createSecretBox, generateSecret } from "../../../server/webhooks/secret.ts";

const key = createSecretKey(Buffer.alloc(32, 1));

test("secrets have the form of Standard Webhooks and are random", () => {
  expect(generateSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(generateSecret()).not.toBe(generateSecret());
});

test.each([
  ["HS256", key],
  ["ES256", generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey],
  ["EdDSA", generateKeyPairSync("ed25519").privateKey],
])("with a signing key for %s it is encrypted and decrypted", (_, signingKey) => {
  const secret = generateSecret();
  const sealed = createSecretBox(signingKey).seal(secret, 7);
  expect(sealed.toString("latin1")).not.toContain(secret.slice(6, 20));
  expect(createSecretBox(signingKey).open(sealed, 7)).toBe(secret);
});

test("another signing key, another listener or a changed byte prevents decryption", () => {
  const box = createSecretBox(key);
  const sealed = box.seal(generateSecret(), 7);
  expect(box.open(sealed, 8)).toBeUndefined();
  expect(createSecretBox(createSecretKey(Buffer.alloc(32, 2))).open(sealed, 7)).toBeUndefined();
  sealed[20] = (sealed[20] ?? 0) ^ 1;
  expect(box.open(sealed, 7)).toBeUndefined();
});

test("a receiver with either of two secrets verifies the call, one with a third does not", () => {
  const [old, current, other] = [generateSecret(), generateSecret(), generateSecret()];
  const body = JSON.stringify({ uid: "0x1", sequence: 1 });
  const headers = { ...createSigner([current, old])({ id: "0x1-1", at: new Date(), body }) };
  expect(new Webhook(current).verify(body, headers)).toEqual({ uid: "0x1", sequence: 1 });
  expect(new Webhook(old).verify(body, headers)).toEqual({ uid: "0x1", sequence: 1 });
  expect(() => new Webhook(other).verify(body, headers)).toThrow("No matching signature");
  expect(() => new Webhook(current).verify(`${body} `, headers)).toThrow("No matching signature");
});

test("the signature equals that of the Standard Webhooks library", () => {
  for (const body of ["", "{}", JSON.stringify({ name: "Zoë 🦄 \u0000" }), "x".repeat(100_000)]) {
    const [secret, at] = [generateSecret(), new Date()];
    const headers = createSigner([secret])({ id: "0x1-1", at, body });
    expect(headers["webhook-signature"]).toBe(new Webhook(secret).sign("0x1-1", at, body));
    expect(headers["webhook-timestamp"]).toBe(String(Math.floor(at.getTime() / 1_000)));
  }
});
