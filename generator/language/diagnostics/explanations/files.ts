import type { files as codes } from "../catalog/files.ts";
import type { Explanations } from "./explanation.ts";

const users: readonly string[] = [
  "webrpc = v1",
  "name = users",
  "struct User",
  "  - team: Team",
  "struct Team",
  "  - id: uint64",
];

export const files: Explanations<keyof typeof codes> = {
  "import-outside": {
    rule: "With confineImports, imports stay in the folder of the configuration.",
    reason:
      "A schema of somebody else could otherwise read any file of the machine, and messages would quote it.",
    bad: {
      files: { "api.ridl": ["webrpc = v1", "name = shop", "import ../order.ridl"] },
      commands: ["ridlkit lint --confine-imports api.ridl"],
    },
    good: {
      files: {
        "api.ridl": ["webrpc = v1", "name = shop", "import order.ridl"],
        "order.ridl": ["webrpc = v1", "name = order", "struct Order"],
      },
      commands: ["ridlkit lint --confine-imports api.ridl"],
    },
  },
  "unreadable-file": {
    rule: "Every file that is named can be read.",
    reason: "The path of an import counts from the file it stands in.",
    bad: { files: { "api.ridl": ["webrpc = v1", "name = shop", "import order.ridl"] } },
    good: {
      files: {
        "api.ridl": ["webrpc = v1", "name = shop", "import order.ridl"],
        "order.ridl": ["webrpc = v1", "name = order", "struct Order"],
      },
    },
  },
  "file-too-large": {
    rule: "A schema file has at most 16 MB.",
    reason:
      "It is three times a schema of 20,000 types; a larger file is the wrong one, and reading it would take all memory.",
    bad: { files: {}, commands: ["head -c 20000000 /dev/zero > api.ridl", "ridlkit lint api.ridl"] },
    good: ["struct Order", "  - id: uint64"],
  },
  "binary-file": {
    rule: "A schema is text in UTF-8.",
    reason: "Other encodings cannot be told apart, and a picture is no schema.",
    bad: {
      files: {},
      commands: ["printf '\\211PNG\\r\\n\\032\\n\\000\\377' > api.ridl", "ridlkit lint api.ridl"],
    },
    good: ["# Über alles in UTF-8.", "struct Order"],
  },
  "import-cycle": {
    rule: "No file imports itself, directly or by way of others.",
    reason: "webrpc never ends on a circle.",
    bad: {
      files: {
        "api.ridl": ["webrpc = v1", "name = shop", "import order.ridl"],
        "order.ridl": ["webrpc = v1", "name = order", "import api.ridl"],
      },
    },
    good: {
      files: {
        "api.ridl": ["webrpc = v1", "name = shop", "import order.ridl"],
        "order.ridl": ["webrpc = v1", "name = order", "struct Order"],
      },
    },
  },
  "unknown-import-member": {
    rule: "What an import lists is declared in the imported file.",
    reason: "webrpc imports nothing for a name that does not exist, and says so only where it is used.",
    bad: {
      files: {
        "api.ridl": ["webrpc = v1", "name = shop", "import users.ridl", "  - Team", "  - Usr"],
        "users.ridl": users,
      },
    },
    good: {
      files: {
        "api.ridl": ["webrpc = v1", "name = shop", "import users.ridl", "  - Team", "  - User"],
        "users.ridl": users,
      },
    },
  },
  "import-lacks": {
    rule: "Whoever imports a type imports the types of its fields too.",
    reason:
      "webrpc looks up every name once more in the importing file, and refuses what it does not find there.",
    bad: {
      files: {
        "api.ridl": ["webrpc = v1", "name = shop", "import users.ridl", "  - User"],
        "users.ridl": users,
      },
    },
    good: {
      files: {
        "api.ridl": ["webrpc = v1", "name = shop", "import users.ridl", "  - User", "  - Team"],
        "users.ridl": users,
      },
    },
  },
  "service-imported-twice": {
    rule: "A service comes in by one way.",
    reason: "webrpc lists it once for each way, and its generators then print it twice.",
    bad: {
      files: {
        "api.ridl": [
          "webrpc = v1",
          "name = shop",
          "version = v1",
          "basepath = /rpc",
          "import pay.ridl",
          "import again.ridl",
        ],
        "again.ridl": ["webrpc = v1", "name = again", "version = v1", "import pay.ridl"],
        "pay.ridl": ["webrpc = v1", "name = pay", "version = v1", "service Pay", "  - Buy(id: uint64)"],
      },
    },
    good: {
      files: {
        "api.ridl": ["webrpc = v1", "name = shop", "version = v1", "basepath = /rpc", "import pay.ridl"],
        "pay.ridl": ["webrpc = v1", "name = pay", "version = v1", "service Pay", "  - Buy(id: uint64)"],
      },
    },
  },
  "too-many-services": {
    rule: "Imports bring in fewer than 10,000 services.",
    reason:
      "A service counts once for each way to it, and twenty files that import each other twice have a million ways.",
    bad: {
      files: {
        "s0.ridl": ["webrpc = v1", "name = s", "version = v1", "service Pay", "  - Buy(id: uint64)"],
      },
      commands: [
        'for i in $(seq 14); do printf "webrpc = v1\\nname = s\\nversion = v1\\nimport s$((i - 1)).ridl\\nimport s$((i - 1)).ridl\\n" > s$i.ridl; done',
        "ridlkit lint s14.ridl",
      ],
    },
    good: {
      files: {
        "api.ridl": ["webrpc = v1", "name = shop", "version = v1", "basepath = /rpc", "import pay.ridl"],
        "pay.ridl": ["webrpc = v1", "name = pay", "version = v1", "service Pay", "  - Buy(id: uint64)"],
      },
    },
  },
  "schema-extension": {
    rule: "The name of a file says what it is.",
    reason: "The ending chooses the reader; nothing is guessed from the text.",
    bad: { files: { "api.txt": ["webrpc = v1", "name = shop"] } },
    good: { files: { "api.ridl": ["webrpc = v1", "name = shop"] } },
  },
  "not-utf8": {
    rule: "All characters of a schema are written in UTF-8.",
    reason:
      "In a comment a stray byte does no harm, but it is carried into the documentation of what is generated.",
    bad: {
      files: {},
      commands: [
        "printf 'webrpc = v1\\nname = shop\\n# caf\\351\\nstruct Order\\n' > api.ridl",
        "ridlkit lint api.ridl",
      ],
    },
    good: { files: { "api.ridl": ["webrpc = v1", "name = shop", "# café", "struct Order"] } },
  },
};
