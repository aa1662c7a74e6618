import { generateKeyPairSync } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { createSigner } from "../../../server/webhooks/delivery/outcome.ts";
import { createSecretBox, generateSecret } from "../../../server/webhooks/secret.ts";
import { signingKeysOf } from "../../support/signing-keys.ts";

const id = "0123456789abcdef";

test("secrets have the form of Standard Webhooks and are random", () => {
  expect(generateSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(generateSecret()).not.toBe(generateSecret());
});

test.each([
  ["HS256", signingKeysOf(1)[0].sign],
  ["ES256", generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey],
  ["EdDSA", generateKeyPairSync("ed25519").privateKey],
])("with a signing key for %s it is encrypted and decrypted", (_, sign) => {
  const secret = generateSecret();
  const sealed = createSecretBox([{ id, sign }]).seal(secret, 7);
  expect(sealed.toString("latin1")).not.toContain(secret.slice(6, 20));
  expect(createSecretBox([{ id, sign }]).open(sealed, 7)).toBe(secret);
});

test("another signing key, another listener or a changed byte prevents decryption", () => {
  const box = createSecretBox(signingKeysOf(1));
  const sealed = box.seal(generateSecret(), 7);
  expect(box.open(sealed, 8)).toBeUndefined();
  expect(createSecretBox(signingKeysOf(2)).open(sealed, 7)).toBeUndefined();
  sealed[20] = (sealed[20] ?? 0) ^ 1;
  expect(box.open(sealed, 7)).toBeUndefined();
});

test("a fallback decrypts, the first key encrypts, and texts from before keys had ids are read", () => {
  const secret = generateSecret();
  const old = createSecretBox(signingKeysOf(1)).seal(secret, 7);
  const rotated = createSecretBox(signingKeysOf(2, 1));
  expect(rotated.open(old, 7)).toBe(secret);
  expect(createSecretBox(signingKeysOf(2)).open(rotated.seal(secret, 7), 7)).toBe(secret);
  expect(rotated.open(old.subarray(12), 7)).toBe(secret);
  expect(rotated.open(Buffer.alloc(0), 7)).toBeUndefined();
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
