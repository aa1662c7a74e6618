import type { Examples } from "./entry.ts";

/** Errors; together with `declarations` and `services` RK300 to RK399. */
export const errors = {
  "error-name": {
    code: "RK315",
    severity: "error",
    message: 'The error name "{name}" must start with an uppercase letter (A to Z).',
    rule: "The name of an error starts with an uppercase letter (A to Z).",
    reason: "It becomes the name of a class.",
    examples: (): Examples => ({
      bad: ['error 1 outOfStock "sold out"'],
      good: ['error 1 OutOfStock "sold out"'],
    }),
  },
  "error-name-reserved": {
    code: "RK316",
    severity: "error",
    message: 'The error name "{name}" starts with "Webrpc", which is reserved for the protocol errors.',
    rule: 'The name of an error does not start with "Webrpc".',
    reason: "This prefix belongs to the protocol errors.",
    examples: (): Examples => ({
      bad: ['error 1 WebrpcLost "lost"'],
      good: ['error 1 Lost "lost"'],
    }),
  },
  "error-code": {
    code: "RK317",
    severity: "error",
    message: "The error code {code} must be at least 1; codes up to 0 are reserved for the protocol errors.",
    rule: "The code of an error is at least 1.",
    reason: "Codes up to 0 belong to the protocol errors.",
    examples: (): Examples => ({
      bad: ['error 0 OutOfStock "sold out"'],
      good: ['error 1 OutOfStock "sold out"'],
    }),
  },
  "error-code-clamped": {
    code: "RK318",
    severity: "warning",
    message: "The error code {code} is too large, so webrpc changes it to 2147483647.",
    rule: "The code of an error is at most 2147483647.",
    reason: "webrpc changes larger codes to this value, so two errors could get the same code.",
    examples: (): Examples => ({
      bad: ['error 3000000000 OutOfStock "sold out"'],
      good: ['error 3000 OutOfStock "sold out"'],
    }),
  },
  "error-message": {
    code: "RK319",
    severity: "error",
    message: 'The error "{name}" has no message.',
    rule: "An error has a message.",
    reason: "Callers who do not know the code see only the message.",
    examples: (): Examples => ({
      bad: {
        files: {
          "api.json": [
            '{ "webrpc": "v1", "name": "shop", "version": "v1", "basepath": "/rpc/", "types": [], "services": [],',
            '  "errors": [{ "code": 1, "name": "OutOfStock", "message": "", "httpStatus": 409 }] }',
          ],
        },
      },
      good: {
        files: {
          "api.json": [
            '{ "webrpc": "v1", "name": "shop", "version": "v1", "basepath": "/rpc/", "types": [], "services": [],',
            '  "errors": [{ "code": 1, "name": "OutOfStock", "message": "sold out", "httpStatus": 409 }] }',
          ],
        },
      },
    }),
  },
  "error-status": {
    code: "RK320",
    severity: "error",
    message: 'The HTTP status {status} of "{name}" must be between 400 and 599.',
    rule: "The HTTP status of an error is between 400 and 599.",
    reason: "Tools that look only at the status would treat a status below 400 as a success.",
    examples: (): Examples => ({
      bad: ['error 1 OutOfStock "sold out" HTTP 200'],
      good: ['error 1 OutOfStock "sold out" HTTP 409'],
    }),
  },
  "duplicate-error-name": {
    code: "RK321",
    severity: "error",
    message: 'The error "{name}" is declared twice.',
    rule: "Every error has its own name, including imported errors.",
    reason: "Clients identify errors by name.",
    examples: (): Examples => ({
      bad: ['error 1 OutOfStock "sold out"', 'error 2 OutOfStock "sold"'],
      good: ['error 1 OutOfStock "sold out"', 'error 2 Sold "sold"'],
    }),
  },
  "duplicate-error-code": {
    code: "RK322",
    severity: "error",
    message: 'The error code {code} is already used by "{other}".',
    rule: "Every error has its own code, including imported errors.",
    reason: "Clients of other versions identify errors by code.",
    examples: (): Examples => ({
      bad: ['error 1 OutOfStock "sold out"', 'error 1 Closed "closed"'],
      good: ['error 1 OutOfStock "sold out"', 'error 2 Closed "closed"'],
    }),
  },
  "unknown-error": {
    code: "RK329",
    severity: "error",
    message: '"{method}" lists the error "{name}", which no schema file declares.',
    rule: "Every error that a method lists is declared in the file or imported.",
    reason: "protocol errors can come from every method and are not listed.",
    examples: (): Examples => ({
      bad: ['error 1 OutOfStock "sold out"', "service Shop", "  - Buy(id: uint64) errors OutOfStok"],
      good: ['error 1 OutOfStock "sold out"', "service Shop", "  - Buy(id: uint64) errors OutOfStock"],
    }),
  },
  "error-case": {
    code: "RK343",
    severity: "error",
    message: 'The error "{name}" differs from "{other}" only in letter case.',
    rule: "The names of two errors differ in more than letter case.",
    reason: "Their classes would collide in some languages.",
    examples: (): Examples => ({
      bad: ['error 1 OutOfStock "sold out"', 'error 2 OutofStock "sold"'],
      good: ['error 1 OutOfStock "sold out"', 'error 2 Sold "sold"'],
    }),
  },
  "no-errors-value": {
    code: "RK349",
    severity: "warning",
    message: '"@noErrors" of "{method}" is ignored, because it has a value.',
    advice: "Write @noErrors without a value.",
    inYaml: { advice: "Write noErrors without a value." },
    rule: "@noErrors has no value.",
    reason: "A reader could take @noErrors:false for the opposite, so an annotation with a value is ignored.",
    examples: (): Examples => ({
      bad: ["service Shop", "  @noErrors:true", "  - Ping()"],
      good: ["service Shop", "  @noErrors", "  - Ping()"],
    }),
  },
  "no-errors-and-list": {
    code: "RK350",
    severity: "warning",
    message: '"{method}" lists errors, so its "@noErrors" is ignored.',
    advice: "Remove the annotation or the list.",
    rule: "A method lists its errors or has @noErrors, not both.",
    reason: "They contradict each other. The list applies, so that callers handle its errors.",
    examples: (): Examples => ({
      bad: [
        'error 1 OutOfStock "sold out"',
        "service Shop",
        "  @noErrors",
        "  - Buy(id: uint64) errors OutOfStock",
      ],
      good: ['error 1 OutOfStock "sold out"', "service Shop", "  - Buy(id: uint64) errors OutOfStock"],
    }),
  },
} as const;
