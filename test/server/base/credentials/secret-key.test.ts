import { createSecretKey, generateKeyPairSync, randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createTokenVerifier } from "../../../../server/base/credentials/credentials.ts";
import { readSecretKey, signSecretKey } from "../../../../server/base/credentials/secret-key.ts";
import {
  faultsOfSigningKeys,
  readSigningKeys,
  type SigningKeys,
} from "../../../../server/base/credentials/signing-key.ts";
import { signingKeysOf } from "../../../support/signing-keys.ts";

const signingKey = Buffer.alloc(32, 1);
const signing = signingKeysOf(1);
const nowSeconds = 1_800_000_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: nowSeconds * 1_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

function sign(issuedAt: number, expiresAt?: number): Promise<string> {
  const token = new SignJWT({ project: 1001, account: `0x${"1".repeat(40)}` })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuedAt(issuedAt)
    .setJti(randomUUID());
  if (expiresAt !== undefined) token.setExpirationTime(expiresAt);
  return token.sign(createSecretKey(signingKey));
}

const read = { claims: expect.anything() };
const expired = { fault: "expired" };

describe("clocks may differ by two minutes", () => {
  test.each([
    [0, read],
    [119, read],
    [120, read],
    [121, { fault: "unreadable", why: "issued in the future" }],
  ])("a key that was issued %i seconds from now is %j", async (seconds, reading) => {
    expect(await readSecretKey(signing, await sign(nowSeconds + seconds))).toEqual(reading);
  });

  test.each([
    [119, read],
    [120, expired],
    [121, expired],
  ])("a key that expired %i seconds ago is %j", async (seconds, reading) => {
    const token = await sign(nowSeconds - 1_000, nowSeconds - seconds);
    expect(await readSecretKey(signing, token)).toEqual(reading);
  });

  test.each([
    [-1, read],
    [0, expired],
    [1, expired],
  ])("a cached key is, %i ms later, %j", async (ms, reading) => {
    const verify = createTokenVerifier(signing);
    const token = await sign(nowSeconds, nowSeconds + 60);
    expect(await verify(token)).toEqual(read);
    vi.setSystemTime((nowSeconds + 60 + 120) * 1_000 + ms);
    expect(await verify(token)).toEqual(reading);
  });
});

test("10,000 verified keys are cached", { timeout: 300_000 }, async () => {
  const key = { ...signing[0] };
  const verify = createTokenVerifier([key]);
  const addOthers = (count: number): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, async () => verify(await sign(nowSeconds))));
  /** Reads the first key under another signing key, which accepts only what is cached. */
  const readCached = async (): Promise<unknown> => {
    Object.assign(key, { verify: createSecretKey(Buffer.alloc(32, 2)) });
    const reading = await verify(first);
    Object.assign(key, { verify: signing[0].verify });
    return reading;
  };
  const first = await sign(nowSeconds);
  await verify(first);
  await addOthers(9_999);
  expect(await readCached()).toEqual(read);
  await addOthers(1);
  expect(await readCached()).toMatchObject({ fault: "unreadable" });
});

test.each([31, 32, 33])("a signing key for HS256 of %i bytes is accepted from 32 bytes on", (bytes) => {
  const configure = (): unknown =>
    readSigningKeys({
      signingAlgorithm: "HS256",
      signingKey: Buffer.alloc(bytes, 1).toString("base64"),
      signingKeyFallbacks: [],
      dataDir: "/nowhere",
    });
  if (bytes < 32) expect(configure).toThrow("SIGNING_KEY: expected base64 of at least 32 bytes");
  else expect(configure()).toMatchObject([{ algorithm: "HS256" }]);
});

const base64 = Buffer.alloc(32, 0xfb).toString("base64");

test.each([
  [base64, undefined],
  [`${base64}\n`, undefined],
  [base64.replace(/=$/, ""), undefined],
  [Buffer.alloc(32, 0xfb).toString("base64url"), undefined],
  [base64.replace("+", " "), /expected base64/],
  [`${base64.slice(0, -2)}9=`, /expected base64/],
  ["please change me please change me please change me please", /expected base64/],
  ["<the output of openssl rand -base64 32, as one line of text>", /expected base64/],
  ["-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA", /a private key in PEM; set SIGNING_ALGORITHM/],
])("the signing key %j for HS256 has the fault %s", (key, fault) => {
  const faults = faultsOfSigningKeys({
    signingAlgorithm: "HS256",
    signingKey: key,
    signingKeyFallbacks: [],
  });
  expect(faults).toEqual(fault === undefined ? [] : [expect.stringMatching(fault)]);
});

test.each([31, 32, 33])("a fallback of %i bytes is accepted from 32 bytes on", (bytes) => {
  const key = Buffer.alloc(bytes, 1).toString("base64");
  const configure = (): unknown =>
    readSigningKeys({
      signingAlgorithm: "HS256",
      signingKey: signingKey.toString("base64"),
      signingKeyFallbacks: [signingKey.toString("base64"), key],
      dataDir: "/nowhere",
    });
  if (bytes < 32)
    expect(configure).toThrow("SIGNING_KEY_FALLBACKS: key 2 is neither base64 of at least 32 bytes");
  else expect(configure()).toHaveLength(3);
});

test("a key that a fallback has signed is read, whatever the algorithm of the first key", async () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const token = await sign(nowSeconds);
  const keysOf = (algorithm: "EdDSA" | "HS256", key: string, ...fallbacks: string[]): SigningKeys =>
    readSigningKeys({
      signingAlgorithm: algorithm,
      signingKey: key,
      signingKeyFallbacks: fallbacks,
      dataDir: "/nowhere",
    });
  const claims = { projectId: 1001, account: `0x${"1".repeat(40)}`, id: randomUUID(), expiresAt: undefined };
  const signedByPem = await signSecretKey(keysOf("EdDSA", pem)[0], claims);
  const rotated = keysOf("EdDSA", pem, signingKey.toString("base64"));
  expect(await readSecretKey(rotated, token)).toEqual(read);
  expect(await readSecretKey(rotated, signedByPem)).toEqual(read);
  expect(await readSecretKey(keysOf("EdDSA", pem), token)).toMatchObject({ fault: "unreadable" });
  expect(await readSecretKey(keysOf("HS256", signingKey.toString("base64"), pem), signedByPem)).toEqual(read);
});

test("a key that has expired is reported as expired, also if a fallback has signed it", async () => {
  const token = await sign(nowSeconds - 1_000, nowSeconds - 500);
  expect(await readSecretKey(signingKeysOf(2, 1), token)).toEqual(expired);
});

describe("a secret key has one text", () => {
  /** The last character of a signature of 32 bytes has two bits that encode nothing. */
  const withOtherBits = (part: string): string => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    return part.slice(0, -1) + alphabet[alphabet.indexOf(part.at(-1) ?? "") ^ 1];
  };
  const standard = (part: string): string => part.replaceAll("-", "+").replaceAll("_", "/");
  const variants: readonly (readonly [string, (part: string) => string])[] = [
    ["other trailing bits", withOtherBits],
    ["padding", (part) => `${part}=`],
    ["full padding", (part) => part.padEnd(Math.ceil(part.length / 4) * 4 + 4, "=")],
    ["a blank", (part) => `${part} `],
    ["a line break", (part) => `${part.slice(0, 4)}\n${part.slice(4)}`],
    ["the standard alphabet", standard],
  ];

  test.each(variants)("with %s it is unreadable", async (_variant, change) => {
    for (let tries = 0; tries < 20; tries++) {
      const parts = (await sign(nowSeconds)).split(".");
      for (const at of parts.keys()) {
        const token = parts.map((part, index) => (index === at ? change(part) : part)).join(".");
        if (token !== parts.join("."))
          expect(await readSecretKey(signing, token)).toMatchObject({ fault: "unreadable" });
      }
    }
  });
});
