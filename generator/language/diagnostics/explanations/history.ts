import type { history as codes } from "../catalog/history.ts";
import type { Example, Explanations } from "./explanation.ts";

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

export const history: Explanations<keyof typeof codes> = {
  "history-file": {
    rule: "The folder of kept versions has one IR file for each version, and no other schema.",
    reason: "The IR is complete in one file, and comparisons of versions read only that format.",
    bad: kept({ "v1.0.0.ridl": ["webrpc = v1", "name = shop", "version = v1.0.0"] }),
    good,
  },
  "history-version": {
    rule: "The versions of a schema that keeps earlier versions are semantic versions.",
    reason: "A server finds the oldest version, and the path from one version to the next, by their order.",
    bad: kept({ "june.webrpc.json": contract("june") }),
    good,
  },
  "history-version-differs": {
    rule: "A kept version is in the file of its name.",
    reason:
      "A file that was renamed or edited no longer shows the contract that clients were generated from.",
    bad: kept({ "v1.0.0.webrpc.json": contract("v1.1.0") }),
    good,
  },
  "history-version-twice": {
    rule: "Each version is kept once.",
    reason: "Clients name only the version, and two contracts of one version would be ambiguous.",
    bad: kept({
      "1.0.0.webrpc.json": contract("1.0.0"),
      "v1.0.0.webrpc.json": contract("v1.0.0"),
    }),
    good,
  },
  "history-other-schema": {
    rule: "All kept versions have the name of the schema.",
    reason: "Clients name schema and version, and a server answers them by that name.",
    bad: kept({ "v1.0.0.webrpc.json": contract("v1.0.0", "market") }),
    good,
  },
  "history-newer": {
    rule: "The schema is newer than its kept versions.",
    reason: "Earlier requests are converted from one version to the next, up to the schema.",
    bad: kept({ "v3.0.0.webrpc.json": contract("v3.0.0") }),
    good,
  },
  "history-contract-differs": {
    rule: "A version that is kept has the same contract in the schema. Comments may differ.",
    reason: "Clients with this version would otherwise call a server with other rules.",
    bad: kept({ "v2.0.0.webrpc.json": contract("v2.0.0") }, ["struct Order", "  - id: string"]),
    good: kept({ "v2.0.0.webrpc.json": contract("v2.0.0") }),
  },
  "history-version-low": {
    rule: "The number of a version shows whether it breaks clients: https://semver.org.",
    reason:
      "Breaking changes raise the first number, additions the second. Before 1.0.0, breaking changes raise the second number, all others the third.",
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
  },
  "history-empty": {
    rule: "A folder of kept versions has at least one.",
    reason: "A wrong or missing folder would remove the earlier versions from the server.",
    bad: kept({}),
    good: { ...kept({}), commands: ["ridlkit history add", "ridlkit generate"] },
  },
};
