/** Files, and the imports that join them: RK200 to RK299. */
export const files = {
  "unreadable-file": {
    code: "RK201",
    severity: "error",
    message: 'Cannot read "{path}": {reason}.',
  },
  "file-too-large": {
    code: "RK202",
    severity: "error",
    message: '"{path}" has {megabytes} MB; a schema file may have at most {limit} MB.',
    advice: "Split it into files that import each other, or check that this is the right file.",
  },
  "binary-file": {
    code: "RK203",
    severity: "error",
    message: '"{path}" is not UTF-8 text.',
    advice: "Save it as UTF-8, or check that this is the right file.",
  },
  "import-cycle": {
    code: "RK204",
    severity: "error",
    message: 'The import of "{path}" creates a cycle.',
    advice: "Move the declarations that both files need into a third file.",
  },
  "unknown-import-member": {
    code: "RK205",
    severity: "warning",
    message: '"{path}" has no type, error or service "{member}".',
  },
  "import-lacks": {
    code: "RK206",
    severity: "error",
    message: '"{user}" needs "{missing}", which is not imported here.',
    advice: "Add it to the imported members.",
  },
  "service-imported-twice": {
    code: "RK207",
    severity: "warning",
    message: 'The service "{name}" is imported twice, so webrpc\'s IR lists it twice.',
    advice: "Import its file only once, from the root file.",
  },
  "schema-extension": {
    code: "RK208",
    severity: "error",
    message: 'Cannot tell the format of "{path}" from its name.',
    advice: "Use the extension .ridl or .yaml, or .json for an IR file.",
  },
  "too-many-services": {
    code: "RK209",
    severity: "error",
    message:
      "The imports bring in {limit} services or more, counting a service once for each chain of imports that leads to it.",
    advice: "Import each file with services only once, from the root file.",
  },
  "not-utf8": {
    code: "RK210",
    severity: "warning",
    message: "These bytes are not valid UTF-8, so they are read as U+FFFD.",
    advice: "Save the file as UTF-8.",
  },
  "import-outside": {
    code: "RK211",
    severity: "error",
    message: 'The import of "{path}" leads out of the project.',
    advice:
      "Move the file into the folder of the configuration, or allow such imports with --no-confine-imports.",
  },
} as const;
