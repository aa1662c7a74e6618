/** Meta keys of fields and aliases: RK400 to RK499. */
export const meta = {
  "misspelt-meta": {
    code: "RK401",
    severity: "warning",
    message: 'The meta key "{key}" is unknown; did you mean "{suggestion}"?',
    advice: "Keys for other tools contain a dot, such as go.tag.db, and are passed through.",
  },
  "meta-value": {
    code: "RK402",
    severity: "warning",
    message: '"{key}" takes {wanted}, found "{value}".',
  },
  "meta-place": {
    code: "RK403",
    severity: "warning",
    message: '"{key}" has no effect on {type}; it applies to {wanted}.',
  },
  "repeated-meta": {
    code: "RK404",
    severity: "warning",
    message: '"{key}" is given twice, and only the last one counts.',
  },
  "contrary-meta": {
    code: "RK405",
    severity: "warning",
    message: '"{low}" is above "{high}", so no value is valid.',
  },
  "wire-name-clash": {
    code: "RK406",
    severity: "warning",
    message: '"{name}" is already the name of another field of "{type}".',
  },
  "non-ascii-value": {
    code: "RK407",
    severity: "warning",
    message:
      "webrpc garbles non-ASCII characters in values, so its schema hash differs from that of ridlkit.",
    advice: "Use ASCII here, or add --hash-parity to write what webrpc writes.",
  },
  "default-value": {
    code: "RK408",
    severity: "warning",
    message: 'The default "{value}" is not a valid value of {type}.',
  },
} as const;
