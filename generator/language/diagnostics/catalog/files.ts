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
    message: '"{path}" has {megabytes} MB; a schema file may have {limit} MB.',
    advice: "Split it into files that import each other, or check that this is the file you meant.",
  },
  "binary-file": {
    code: "RK203",
    severity: "error",
    message: '"{path}" is not a text file in UTF-8.',
    advice: "Save it as UTF-8 text, or check that this is the file you meant.",
  },
  "import-cycle": {
    code: "RK204",
    severity: "error",
    message: 'The import of "{path}" closes a circle.',
    advice: "Move what both files need into a third one.",
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
    advice: "Add it to the list of imported members.",
  },
  "service-imported-twice": {
    code: "RK207",
    severity: "warning",
    message: 'The service "{name}" comes in by two imports and is listed twice in webrpc\'s IR.',
    advice: "Import the file that declares it once, from the root file.",
  },
  "schema-extension": {
    code: "RK208",
    severity: "error",
    message: 'Cannot tell what "{path}" is.',
    advice: "Name it .ridl or .yaml, or .json for an IR file.",
  },
  "too-many-services": {
    code: "RK209",
    severity: "error",
    message: "Imports bring in {limit} services or more, each as often as there are ways to it.",
    advice: "Import a file with services once, from the root file.",
  },
  "not-utf8": {
    code: "RK210",
    severity: "warning",
    message: "This is no character of UTF-8; it is read as U+FFFD.",
    advice: "Save the file as UTF-8.",
  },
  "import-outside": {
    code: "RK211",
    severity: "error",
    message: 'The import of "{path}" leads out of the project.',
    advice:
      "Move the file into the folder of the configuration, or allow such imports: --no-confine-imports.",
  },
} as const;
