/** Files that a run writes: RK600 to RK609. */
export const writing = {
  "edited-file": {
    code: "RK601",
    severity: "error",
    message: '"{path}" was generated and then edited by hand.',
    advice: "Move your changes out of the folder, or overwrite them with --force.",
  },
  "foreign-file": {
    code: "RK602",
    severity: "error",
    message: '"{path}" was not generated, but a generated file has to be written there.',
    advice: "Move it, choose another output folder, or overwrite it with --force.",
  },
  "cannot-write": {
    code: "RK603",
    severity: "error",
    message: 'Cannot write "{path}": {reason}.',
    advice: "Fix this, then run the same command again.",
  },
  "stream-left-out": {
    code: "RK604",
    severity: "warning",
    message: 'No client or server code is generated for "{method}", because it streams its request.',
    advice: "Its types and all other methods are generated; only responses can stream.",
  },
  "taken-place": {
    code: "RK605",
    severity: "error",
    message: '"{path}" is {what}, so no generated file can be written there.',
    advice: "Move it, or choose another output folder.",
  },
  "two-targets": {
    code: "RK606",
    severity: "error",
    message: '"{path}" would be generated for "{first}" and for "{second}".',
    advice: "Give each schema an output folder of its own.",
  },
  "template-fault": {
    code: "RK607",
    severity: "error",
    message: "A custom template cannot be used: {reason}",
    advice: "docs/templates.md describes the plan that templates print, and the helpers that they can call.",
  },
} as const;
