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
      "Otherwise, an untrusted schema could read any file of the machine, and error messages would quote it.",
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
    rule: "Every file that a command or an import names can be read.",
    reason: "The path of an import is relative to the file that contains the import.",
    bad: { files: { "api.ridl": ["webrpc = v1", "name = shop", "import order.ridl"] } },
    good: {
      files: {
        "api.ridl": ["webrpc = v1", "name = shop", "import order.ridl"],
        "order.ridl": ["webrpc = v1", "name = order", "struct Order"],
      },
    },
  },
  "file-too-large": {
    rule: "A schema file is at most 16 MB.",
    reason:
      "This is three times the size of a schema with 20,000 types. A larger file is probably the wrong one, and reading it could use up all memory.",
    bad: { files: {}, commands: ["head -c 20000000 /dev/zero > api.ridl", "ridlkit lint api.ridl"] },
    good: ["struct Order", "  - id: uint64"],
  },
  "binary-file": {
    rule: "A schema is UTF-8 text.",
    reason: "Other encodings cannot be detected reliably.",
    bad: {
      files: {},
      commands: ["printf '\\211PNG\\r\\n\\032\\n\\000\\377' > api.ridl", "ridlkit lint api.ridl"],
    },
    good: ["# Über alles in UTF-8.", "struct Order"],
  },
  "import-cycle": {
    rule: "No file imports itself, directly or through other files.",
    reason: "webrpc runs forever on an import cycle.",
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
    rule: "The members of an import are declared in the imported file.",
    reason: "webrpc ignores an unknown name and reports it only where it is used.",
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
    rule: "If you import a type, import the types of its fields too.",
    reason:
      "webrpc looks up every name in the importing file, and rejects names that it does not find there.",
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
    rule: "A service is imported once.",
    reason: "webrpc lists a service once for each import, and its generators then print it several times.",
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
      "A service counts once for each chain of imports that leads to it. Twenty files that each import the next one twice form a million chains.",
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
    rule: "The extension of a schema file is .ridl, .yaml, .yml or .json.",
    reason: "ridlkit chooses the parser by the extension, and never guesses from the contents.",
    bad: { files: { "api.txt": ["webrpc = v1", "name = shop"] } },
    good: { files: { "api.ridl": ["webrpc = v1", "name = shop"] } },
  },
  "not-utf8": {
    rule: "A schema is valid UTF-8.",
    reason:
      "Invalid bytes in a comment break nothing, but the generated documentation would contain replacement characters.",
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
