/** Files that a run writes: RK600 to RK609. */
export const writing = {
  "edited-file": {
    code: "RK601",
    severity: "error",
    message: '"{path}" was generated and then edited by hand.',
    advice: "Move what you added out of the folder, or write over it with --force.",
  },
  "foreign-file": {
    code: "RK602",
    severity: "error",
    message: '"{path}" stands where a generated file should, and was not generated.',
    advice: "Move it, choose another output folder, or write over it with --force.",
  },
  "cannot-write": {
    code: "RK603",
    severity: "error",
    message: 'Cannot write "{path}": {reason}.',
    advice: "Once that is mended, run the same command again.",
  },
  "stream-left-out": {
    code: "RK604",
    severity: "warning",
    message: 'No code for clients and servers is made of "{method}", because it streams its request.',
    advice: "Its types are there, and the other methods are whole. Only the answer of a method can stream.",
  },
  "taken-place": {
    code: "RK605",
    severity: "error",
    message: '"{path}" is {what}, and a generated file goes neither over nor through it.',
    advice: "Move it, or choose another output folder.",
  },
  "two-targets": {
    code: "RK606",
    severity: "error",
    message: '"{path}" would be written for "{first}" and for "{second}".',
    advice: "Give each schema an output folder of its own.",
  },
  "template-fault": {
    code: "RK607",
    severity: "error",
    message: "A template of yours cannot be used: {reason}",
    advice: "docs/templates.md has the plan that templates print, and the helpers that they may call.",
  },
} as const;
