/** Meta keys of fields and aliases: RK400 to RK499. */
export const meta = {
  "misspelt-meta": {
    code: "RK401",
    severity: "warning",
    message: 'No tool knows the meta key "{key}"; did you mean "{meant}"?',
    advice: "Keys of other tools have a dot in them, as go.tag.db, and pass through.",
  },
  "meta-value": {
    code: "RK402",
    severity: "warning",
    message: '"{key}" takes {wanted}, found "{value}".',
  },
  "meta-place": {
    code: "RK403",
    severity: "warning",
    message: '"{key}" says nothing of {type}; it is for {wanted}.',
  },
  "repeated-meta": {
    code: "RK404",
    severity: "warning",
    message: '"{key}" is given twice; the last one counts.',
  },
  "contrary-meta": {
    code: "RK405",
    severity: "warning",
    message: '"{low}" is above "{high}": no value fits.',
  },
  "wire-name-clash": {
    code: "RK406",
    severity: "warning",
    message: '"{name}" already names another field of "{type}".',
  },
  "non-ascii-value": {
    code: "RK407",
    severity: "warning",
    message: "webrpc garbles characters outside of ASCII in values, so its schema hash differs from ours.",
    advice: "Use ASCII here, or --hash-parity to write what webrpc writes.",
  },
  "default-value": {
    code: "RK408",
    severity: "warning",
    message: 'The default "{value}" is no value of {type}.',
  },
} as const;
