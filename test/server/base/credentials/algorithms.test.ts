import { createSecretKey, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { readSecretKey, signSecretKey } from "../../../../server/base/credentials/secret-key.ts";
import { readSigningKeys, type SigningKeys } from "../../../../server/base/credentials/signing-key.ts";

const claims = { projectId: 1001, account: `0x${"1".repeat(40)}`, id: randomUUID(), expiresAt: undefined };
const wireClaims = { project: claims.projectId, account: claims.account };

const pairs = {
  EdDSA: () => generateKeyPairSync("ed25519"),
  ES256: () => generateKeyPairSync("ec", { namedCurve: "prime256v1" }),
} as const;

/** PEM with escaped line breaks, like in an environment variable. */
function configured(algorithm: "EdDSA" | "ES256", key: KeyObject): SigningKeys {
  const pem = key.export({ type: "pkcs8", format: "pem" }).toString().replaceAll("\n", "\\n");
  return readSigningKeys({
    signingAlgorithm: algorithm,
    signingKey: pem,
    signingKeyFallbacks: [],
    dataDir: "/nowhere",
  });
}

function forge(algorithm: string, key: KeyObject): Promise<string> {
  return new SignJWT(wireClaims)
    .setProtectedHeader({ alg: algorithm })
    .setIssuedAt()
    .setJti(randomUUID())
    .sign(key);
}

describe.each(["EdDSA", "ES256"] as const)("secret keys signed with %s", (algorithm) => {
  const other = algorithm === "EdDSA" ? "ES256" : "EdDSA";
  const signing = configured(algorithm, pairs[algorithm]().privateKey);

  test("are accepted, and one of another key pair is not", async () => {
    const token = await signSecretKey(signing[0], claims);
    expect(await readSecretKey(signing, token)).toEqual({ claims });
    const stranger = configured(algorithm, pairs[algorithm]().privateKey);
    expect(await readSecretKey(stranger, token)).toMatchObject({ fault: "unreadable" });
  });

  test("whose header names another algorithm are rejected despite a valid signature", async () => {
    const token = await forge(other, pairs[other]().privateKey);
    expect(await readSecretKey(signing, token)).toMatchObject({ fault: "unreadable" });
  });

  test("are rejected unsigned", async () => {
    const [, payload] = (await signSecretKey(signing[0], claims)).split(".");
    for (const alg of ["none", "None", "NONE"]) {
      const header = Buffer.from(JSON.stringify({ alg })).toString("base64url");
      expect(await readSecretKey(signing, `${header}.${payload}.`)).toMatchObject({ fault: "unreadable" });
    }
  });

  test("are rejected with HS256 and the public key as its secret, in every published form", async () => {
    const forms = [
      signing[0].verify.export({ type: "spki", format: "pem" }),
      signing[0].verify.export({ type: "spki", format: "der" }),
      Buffer.from(JSON.stringify(signing[0].verify.export({ format: "jwk" }))),
      Buffer.from(signing[0].verify.export({ format: "jwk" }).x ?? "", "base64url"),
    ];
    for (const form of forms) {
      const token = await forge("HS256", createSecretKey(Buffer.from(form)));
      expect(await readSecretKey(signing, token)).toMatchObject({ fault: "unreadable" });
    }
  });

  test("need a private key of that algorithm", () => {
    const wrong = pairs[other]().privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    for (const signingKey of [wrong, "nonsense", undefined])
      expect(() =>
        readSigningKeys({
          signingAlgorithm: algorithm,
          signingKey,
          signingKeyFallbacks: [],
          dataDir: "/nowhere",
        }),
      ).toThrow(/^SIGNING_KEY: /);
  });
});
