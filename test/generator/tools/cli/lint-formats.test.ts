import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { folder, ridlkit } from "../../../support/program.ts";
import { bad, doubtful, good } from "../../../support/schemas.ts";

/** A finding with a second place, a fix, and signs that have to be escaped. */
const twice = `${good}\nstruct Pet\n  - 100%: int\n`;

test("--format github has one annotation for each finding, escaped as the runner reads it", async () => {
  using dir = folder({ "bad,1.ridl": bad, "doubtful.ridl": doubtful });
  const { code, out, err } = await ridlkit(["lint", "--format", "github", "bad,1.ridl", "doubtful.ridl"], {
    cwd: dir.path,
  });
  expect({ code, err }).toEqual({ code: 1, err: "" });
  expect(out.trimEnd().split("\n")).toEqual([
    '::error file=bad%2C1.ridl,line=8,endLine=8,col=11,endColumn=14,title=RK308 unknown-type::There is no type "Kin".%0ADid you mean "Kind"?',
    '::warning file=doubtful.ridl,line=4,endLine=4,col=1,endColumn=17,title=RK305 basepath-missing::The schema has services but no basepath, so "/rpc/" is assumed.%0AAdd the line "basepath = /rpc".',
  ]);
});

test("second places of a finding stand in its annotation, and a percent sign comes back as one", async () => {
  using dir = folder({ "twice.ridl": twice });
  const { out } = await ridlkit(["lint", "--format", "github", "twice.ridl"], { cwd: dir.path });
  expect(out).toContain('The type "Pet" is declared twice.%0AFirst declared here. (twice.ridl:7:8)');
  expect(out).toContain("100%25");
});

test("--format sarif is a log that the schema of SARIF 2.1.0 accepts", async () => {
  using dir = folder({ "a b#c?.ridl": twice, "bad.ridl": bad, "good.ridl": good });
  const args = ["lint", "--format", "sarif", "a b#c?.ridl", "bad.ridl", "good.ridl", "gone.ridl"];
  const { code, out, err } = await ridlkit(args, { cwd: dir.path });
  expect({ code, err }).toEqual({ code: 1, err: "" });
  const log = JSON.parse(out) as SarifLog;
  expect(faultsOf(log)).toEqual([]);
  const [run] = log.runs;
  const unknown = run?.results.find(({ ruleId }) => ruleId === "RK308");
  expect(unknown).toMatchObject({
    level: "error",
    message: { text: 'There is no type "Kin". Did you mean "Kind"?' },
    locations: [{ physicalLocation: { artifactLocation: { uri: "bad.ridl" }, region: kinRegion } }],
    fixes: [
      {
        description: { text: 'Write "Kind"' },
        artifactChanges: [
          { replacements: [{ deletedRegion: kinRegion, insertedContent: { text: "Kind" } }] },
        ],
      },
    ],
  });
  expect(run?.results.find(({ ruleId }) => ruleId === "RK307")).toMatchObject({
    locations: [{ physicalLocation: { artifactLocation: { uri: "a%20b%23c%3F.ridl" } } }],
    relatedLocations: [
      { message: { text: "First declared here." }, physicalLocation: { region: { startLine: 7 } } },
    ],
  });
  for (const { ruleId, ruleIndex } of run?.results ?? [])
    expect(run?.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
});

test("a log without findings is one too, and the schema does refuse what is no log", async () => {
  using dir = folder({ "good.ridl": good });
  const { code, out } = await ridlkit(["lint", "--format=sarif", "good.ridl"], { cwd: dir.path });
  const log = JSON.parse(out) as SarifLog;
  expect([code, log.runs[0]?.results, faultsOf(log)]).toEqual([0, [], []]);
  expect(faultsOf({ ...log, runs: [{ results: [] }] })).not.toEqual([]);
});

test("RIDLKIT_FORMAT takes the same words", async () => {
  using dir = folder({ "bad.ridl": bad });
  const { out } = await ridlkit(["lint", "bad.ridl"], { cwd: dir.path, env: { RIDLKIT_FORMAT: "github" } });
  expect(out).toMatch(/^::error file=bad[.]ridl,/);
});

const kinRegion = { startLine: 8, startColumn: 11, endLine: 8, endColumn: 14 };

interface SarifLog {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly { readonly ruleId: string; readonly ruleIndex: number }[];
  }[];
}

/** The schema is of draft 04, of which it uses nothing that later drafts read otherwise but the name of its own id. */
function faultsOf(log: unknown): readonly unknown[] {
  const path = fileURLToPath(new URL("../../../fixtures/sarif/sarif-2.1.0.schema.json", import.meta.url));
  const { id: _, $schema: __, ...schema } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);
  return validate(log) ? [] : (validate.errors ?? []);
}
