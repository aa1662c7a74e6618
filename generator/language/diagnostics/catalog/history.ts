import type { Example, Examples } from "./entry.ts";

/** A schema of version v2.0.0, and the folder of its kept versions. */
function kept(
  files: Readonly<Record<string, readonly string[]>>,
  schema: readonly string[] = ["struct Order", "  - id: uint64"],
): Example {
  return {
    files: {
      "ridlkit.config.yaml": [
        "schemas:",
        "  - entry: api.ridl",
        "    out: out",
        "    targets: [types]",
        "    history: history",
      ],
      "api.ridl": ["webrpc = v1", "name = shop", "version = v2.0.0", "", ...schema],
      ...Object.fromEntries(Object.entries(files).map(([name, lines]) => [`history/${name}`, lines])),
    },
    commands: ["ridlkit generate"],
  };
}

function contract(version: string, name = "shop"): readonly string[] {
  const order = '{ "kind": "struct", "name": "Order", "fields": [{ "name": "id", "type": "uint64" }] }';
  return [
    `{ "webrpc": "v1", "name": "${name}", "version": "${version}", "basepath": "",`,
    `  "types": [${order}], "errors": [], "services": [] }`,
  ];
}

const good = kept({ "v1.0.0.webrpc.json": contract("v1.0.0") });

/** Kept versions of a contract: RK530 to RK549. */
export const history = {
  "history-file": {
    code: "RK530",
    severity: "error",
    message: '"{path}" is not a kept version.',
    advice:
      "Keep versions as ridlkit history add does, in latest.webrpc.json and VERSION.webrpc.json, and move other schemas away.",
    rule: "The folder of kept versions has one IR file for each version, and no other schema.",
    reason: "The IR is complete in one file, and comparisons of versions read only that format.",
    examples: (): Examples => ({
      bad: kept({ "v1.0.0.ridl": ["webrpc = v1", "name = shop", "version = v1.0.0"] }),
      good,
    }),
  },
  "history-version": {
    code: "RK531",
    severity: "error",
    message: 'The version "{version}" is not a semantic version.',
    advice: "Write three numbers, such as v1.0.0: versions are compared by them.",
    rule: "The versions of a schema that keeps earlier versions are semantic versions.",
    reason: "A server finds the oldest version, and the path from one version to the next, by their order.",
    examples: (): Examples => ({
      bad: kept({ "june.webrpc.json": contract("june") }),
      good,
    }),
  },
  "history-version-differs": {
    code: "RK532",
    severity: "error",
    message: 'The file is named after the version "{named}", but its contract has the version "{version}".',
    advice: "Restore the file from Git: a kept version never changes.",
    rule: "A kept version is in the file of its name.",
    reason:
      "A file that was renamed or edited no longer shows the contract that clients were generated from.",
    examples: (): Examples => ({
      bad: kept({ "v1.0.0.webrpc.json": contract("v1.1.0") }),
      good,
    }),
  },
  "history-version-twice": {
    code: "RK533",
    severity: "error",
    message: 'The version {version} is kept twice, and the first file is "{other}".',
    advice: "Keep only one of the files.",
    rule: "Each version is kept once.",
    reason: "Clients name only the version, and two contracts of one version would be ambiguous.",
    examples: (): Examples => ({
      bad: kept({
        "1.0.0.webrpc.json": contract("1.0.0"),
        "v1.0.0.webrpc.json": contract("v1.0.0"),
      }),
      good,
    }),
  },
  "history-other-schema": {
    code: "RK534",
    severity: "error",
    message: 'The file is a version of the schema "{found}", but the schema is "{name}".',
    advice: "Give each schema its own folder.",
    rule: "All kept versions have the name of the schema.",
    reason: "Clients name schema and version, and a server answers them by that name.",
    examples: (): Examples => ({
      bad: kept({ "v1.0.0.webrpc.json": contract("v1.0.0", "market") }),
      good,
    }),
  },
  "history-newer": {
    code: "RK535",
    severity: "error",
    message: 'The kept version "{kept}" is newer than the version "{version}" of the schema.',
    advice: "Raise the version of the schema.",
    rule: "The schema is newer than its kept versions.",
    reason: "Earlier requests are converted from one version to the next, up to the schema.",
    examples: (): Examples => ({
      bad: kept({ "v3.0.0.webrpc.json": contract("v3.0.0") }),
      good,
    }),
  },
  "history-contract-differs": {
    code: "RK536",
    severity: "warning",
    message: 'The contract differs from its kept version "{version}".',
    advice: "Raise the version of the schema: clients with the kept version rely on its contract.",
    rule: "A version that is kept has the same contract in the schema. Comments may differ.",
    reason: "Clients with this version would otherwise call a server with other rules.",
    examples: (): Examples => ({
      bad: kept({ "v2.0.0.webrpc.json": contract("v2.0.0") }, ["struct Order", "  - id: string"]),
      good: kept({ "v2.0.0.webrpc.json": contract("v2.0.0") }),
    }),
  },
  "history-version-low": {
    code: "RK537",
    severity: "warning",
    message:
      "The version {version} is too low: there are {changes} since {before}, so it must be {next} or higher.",
    advice: "Raise the version of the schema before you keep it.",
    rule: "The number of a version shows whether it breaks clients: https://semver.org.",
    reason:
      "Breaking changes raise the first number, additions the second. Before 1.0.0, breaking changes raise the second number, all others the third.",
    examples: (): Examples => ({
      bad: {
        ...kept({ "v1.9.0.webrpc.json": contract("v1.9.0") }, [
          "struct Order",
          "  - id: uint64",
          "  - note?: string",
        ]),
        commands: ["sed -i s/v2.0.0/v1.9.1/ api.ridl", "ridlkit history add"],
      },
      good: {
        ...kept({ "v1.9.0.webrpc.json": contract("v1.9.0") }, [
          "struct Order",
          "  - id: uint64",
          "  - note?: string",
        ]),
        commands: ["ridlkit history add"],
      },
    }),
  },
  "history-empty": {
    code: "RK538",
    severity: "warning",
    message: 'The folder "{folder}" has no kept version, so the server serves no earlier clients.',
    advice: 'Run "ridlkit history add", or correct "history" in the configuration.',
    rule: "A folder of kept versions has at least one.",
    reason: "A wrong or missing folder would remove the earlier versions from the server.",
    examples: (): Examples => ({
      bad: kept({}),
      good: { ...kept({}), commands: ["ridlkit history add", "ridlkit generate"] },
    }),
  },
  "history-difference": {
    code: "RK539",
    severity: "error",
    message: 'The kept version cannot be restored from the next one, "{next}".',
    advice:
      "Restore the folder from Git. To stop serving versions, delete the oldest ones first: each file depends on the next one.",
    rule: "A kept version that is stored as its difference from the next one stays next to it, and neither is edited.",
    reason: "Only latest.webrpc.json is a whole contract, so that histories stay small.",
    examples: (): Examples => ({
      bad: kept({
        "v1.0.0.webrpc.json": ['{ "next": "v1.1.0", "hash": "da39a3ee", "lines": ["3,1"] }'],
      }),
      good,
    }),
  },
} as const;
