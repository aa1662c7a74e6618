import { expect, test } from "vitest";
import { readConfig } from "../../../server/host/read-config.ts";

const DATABASE_URL = "postgres://host/name";
const SIGNING_KEY = Buffer.alloc(32, 1).toString("base64");
const keyMissing =
  "SIGNING_KEY: required with DATABASE_URL, and the same on all replicas; create one with: openssl rand -base64 32";

test.each<[readonly string[], object, readonly unknown[]]>([
  [[], {}, []],
  [["--sandbox"], {}, []],
  [["--sandbox", "--host", "localhost"], {}, []],
  [["--host", "0.0.0.0"], {}, []],
  [
    ["--sandbox", "--host", "0.0.0.0"],
    {},
    [expect.stringMatching(/^--sandbox: .* must not listen on 0[.]0[.]0[.]0; use 127[.]0[.]0[.]1$/)],
  ],
  [["--production"], {}, []],
  [["--production", "--no-sandbox"], {}, []],
  [["--production", "--sandbox"], {}, ["--production and --sandbox exclude each other; remove one of them"]],
  [
    ["--production", "--sandbox-chain"],
    {},
    ["--production and --sandbox-chain exclude each other; remove one of them"],
  ],
  [[], { DATABASE_URL }, [keyMissing]],
  [[], { DATABASE_URL, SIGNING_KEY }, []],
  [["--sandbox"], { DATABASE_URL }, []],
  [
    ["--host", "0.0.0.0"],
    { SIGNING_KEY: "short" },
    [expect.stringMatching(/^SIGNING_KEY: expected base64 of at least 32 bytes/)],
  ],
  [["--networks", "polygno"], {}, ['networks: unknown network "polygno"; did you mean "polygon"?']],
  [["--help", "--prot"], {}, [expect.stringMatching(/^unknown option "--prot"/)]],
  [
    ["--port", "x", "--max-lag-ms", "1"],
    {},
    ['--port: expected 0 to 65535, found "x"', '--max-lag-ms: expected 10 to 60000, found "1"'],
  ],
])("%j with %j has the faults %j", async (argv, env, faults) => {
  const result = await readConfig(argv, { ...env });
  expect("faults" in result ? result.faults : []).toEqual(faults);
  expect("config" in result).toBe(faults.length === 0);
});

test("--help prints every flag, and the variables of secrets", async () => {
  const result = await readConfig(["--help"], {});
  const help = "help" in result ? result.help : "";
  expect(help).toContain(
    "  --port N                               port to listen on; 0 selects a free port (default: 4000)",
  );
  expect(help).toContain("  SIGNING_KEY ");
  expect(help).not.toContain("--signing-key");
});
