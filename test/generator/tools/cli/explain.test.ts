import { expect, test } from "vitest";
import { allCodes } from "../../../../generator/language/explain.ts";
import { ridlkit } from "../../../support/program.ts";

const emptyService = `RK324 empty-service, an error

A service has at least one method. webrpc rejects a service without methods.

Add one, such as "- Ping()".

Wrong:

    service Shop

Right:

    service Shop
      - Ping()
`;

test.each(["RK324", "rk324", "324", "empty-service"])(
  "explain %s shows the rule and both examples",
  async (word) => {
    expect(await ridlkit(["explain", word])).toEqual({ code: 0, out: emptyService, err: "" });
  },
);

test("without a code all of them are listed, one a line", async () => {
  const { code, out } = await ridlkit(["explain"]);
  expect(code).toBe(0);
  expect(
    out
      .trimEnd()
      .split("\n")
      .map((line) => line.slice(0, 5)),
  ).toEqual(allCodes.map(({ entry }) => entry.code));
});

test("--format json has the same, and examples that can be linted as they are", async () => {
  const { out } = await ridlkit(["explain", "RK324", "--format", "json"]);
  expect(JSON.parse(out)).toEqual({
    codes: [
      {
        code: "RK324",
        name: "empty-service",
        severity: "error",
        message: 'The service "{name}" has no methods.',
        advice: 'Add one, such as "- Ping()".',
        rule: "A service has at least one method.",
        reason: "webrpc rejects a service without methods.",
        invalid: {
          files: {
            "api.ridl": "webrpc = v1\nname = shop\nversion = v1.0.0\nbasepath = /rpc\n\nservice Shop\n",
          },
        },
        valid: {
          files: {
            "api.ridl":
              "webrpc = v1\nname = shop\nversion = v1.0.0\nbasepath = /rpc\n\nservice Shop\n  - Ping()\n",
          },
        },
      },
    ],
  });
});

test.each([
  ["RK3088", 'Unknown code "RK3088". Did you mean "RK308"?'],
  ["unknwon-type", 'Unknown code "unknwon-type". Did you mean "unknown-type"?'],
  ["whatever-this-is", 'Unknown code "whatever-this-is". Run ridlkit explain to list all codes.'],
])("explain %s is refused with the nearest one", async (word, message) => {
  const { code, out, err } = await ridlkit(["explain", word]);
  expect({ code, out, err }).toEqual({
    code: 2,
    out: "",
    err: `ridlkit: ${message}\nSee: ridlkit help explain\n`,
  });
});
