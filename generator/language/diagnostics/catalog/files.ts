import type { Examples } from "./entry.ts";

const users: readonly string[] = [
  "webrpc = v1",
  "name = users",
  "struct User",
  "  - team: Team",
  "struct Team",
  "  - id: uint64",
];

/** Files, and the imports that join them: RK200 to RK299. */
export const files = {
  "unreadable-file": {
    code: "RK201",
    severity: "error",
    message: 'Cannot read "{path}": {reason}.',
    rule: "Every file that a command or an import names can be read.",
    reason: "The path of an import is relative to the file that contains the import.",
    examples: (): Examples => ({
      bad: { files: { "api.ridl": ["webrpc = v1", "name = shop", "import order.ridl"] } },
      good: {
        files: {
          "api.ridl": ["webrpc = v1", "name = shop", "import order.ridl"],
          "order.ridl": ["webrpc = v1", "name = order", "struct Order"],
        },
      },
    }),
  },
  "file-too-large": {
    code: "RK202",
    severity: "error",
    message: '"{path}" has {megabytes} MB; a schema file may have at most {limit} MB.',
    advice: "Split it into files that import each other, or check that this is the right file.",
    rule: "A schema file is at most 16 MB.",
    reason:
      "This is three times the size of a schema with 20,000 types. A larger file is probably the wrong one, and reading it could use up all memory.",
    examples: (): Examples => ({
      bad: { files: {}, commands: ["head -c 20000000 /dev/zero > api.ridl", "ridlkit lint api.ridl"] },
      good: ["struct Order", "  - id: uint64"],
    }),
  },
  "binary-file": {
    code: "RK203",
    severity: "error",
    message: '"{path}" is not UTF-8 text.',
    advice: "Save it as UTF-8, or check that this is the right file.",
    rule: "A schema is UTF-8 text.",
    reason: "Other encodings cannot be detected reliably.",
    examples: (): Examples => ({
      bad: {
        files: {},
        commands: ["printf '\\211PNG\\r\\n\\032\\n\\000\\377' > api.ridl", "ridlkit lint api.ridl"],
      },
      good: ["# Über alles in UTF-8.", "struct Order"],
    }),
  },
  "import-cycle": {
    code: "RK204",
    severity: "error",
    message: 'The import of "{path}" creates a cycle.',
    advice: "Move the declarations that both files need into a third file.",
    rule: "No file imports itself, directly or through other files.",
    reason: "webrpc runs forever on an import cycle.",
    examples: (): Examples => ({
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
    }),
  },
  "unknown-import-member": {
    code: "RK205",
    severity: "warning",
    message: '"{path}" has no type, error or service "{member}".',
    rule: "The members of an import are declared in the imported file.",
    reason: "webrpc ignores an unknown name and reports it only where it is used.",
    examples: (): Examples => ({
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
    }),
  },
  "import-lacks": {
    code: "RK206",
    severity: "error",
    message: '"{user}" needs "{missing}", which is not imported here.',
    advice: "Add it to the imported members.",
    rule: "If you import a type, import the types of its fields too.",
    reason:
      "webrpc looks up every name in the importing file, and rejects names that it does not find there.",
    examples: (): Examples => ({
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
    }),
  },
  "service-imported-twice": {
    code: "RK207",
    severity: "warning",
    message: 'The service "{name}" is imported twice, so webrpc\'s IR lists it twice.',
    advice: "Import its file only once, from the root file.",
    rule: "A service is imported once.",
    reason: "webrpc lists a service once for each import, and its generators then print it several times.",
    examples: (): Examples => ({
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
    }),
  },
  "foreign-document": {
    code: "RK213",
    severity: "error",
    message: '"{path}" is {what}, which ridlkit cannot read.',
    advice:
      "Write the schema in RIDL or YAML; ridlkit generates an OpenAPI document from it with --target openapi.",
    rule: "A schema is written in RIDL or YAML, or is an IR file of webrpc.",
    reason: "ridlkit generates OpenAPI documents and JSON Schemas, but imports neither, nor other languages.",
    examples: (): Examples => ({
      bad: {
        files: { "api.yaml": ["openapi: 3.1.0", "info: { title: shop, version: v1.0.0 }", "paths: {}"] },
      },
      good: { files: { "api.yaml": ["webrpc: v1", "name: shop"] } },
    }),
  },
  "schema-extension": {
    code: "RK208",
    severity: "error",
    message: 'Cannot tell the format of "{path}" from its name.',
    advice: "Use the extension .ridl or .yaml, or .json for an IR file.",
    rule: "The extension of a schema file is .ridl, .yaml, .yml or .json.",
    reason: "ridlkit chooses the parser by the extension, and never guesses from the contents.",
    examples: (): Examples => ({
      bad: { files: { "api.txt": ["webrpc = v1", "name = shop"] } },
      good: { files: { "api.ridl": ["webrpc = v1", "name = shop"] } },
    }),
  },
  "too-many-services": {
    code: "RK209",
    severity: "error",
    message:
      "The imports bring in {limit} services or more, counting a service once for each chain of imports that leads to it.",
    advice: "Import each file with services only once, from the root file.",
    rule: "Imports bring in fewer than 10,000 services.",
    reason:
      "A service counts once for each chain of imports that leads to it. Twenty files that each import the next one twice form a million chains.",
    examples: (): Examples => ({
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
    }),
  },
  "not-utf8": {
    code: "RK210",
    severity: "warning",
    message: "These bytes are not valid UTF-8, so they are read as U+FFFD.",
    advice: "Save the file as UTF-8.",
    rule: "A schema is valid UTF-8.",
    reason:
      "Invalid bytes in a comment break nothing, but the generated documentation would contain replacement characters.",
    examples: (): Examples => ({
      bad: {
        files: {},
        commands: [
          "printf 'webrpc = v1\\nname = shop\\n# caf\\351\\nstruct Order\\n' > api.ridl",
          "ridlkit lint api.ridl",
        ],
      },
      good: { files: { "api.ridl": ["webrpc = v1", "name = shop", "# café", "struct Order"] } },
    }),
  },
  "import-outside": {
    code: "RK211",
    severity: "error",
    message: 'The import of "{path}" leads out of the project.',
    advice:
      "Move the file into the folder of the configuration, or allow such imports with --no-confine-imports.",
    rule: "With confineImports, imports stay in the folder of the configuration.",
    reason:
      "Otherwise, an untrusted schema could read any file of the machine, and error messages would quote it.",
    examples: (): Examples => ({
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
    }),
  },
} as const;
