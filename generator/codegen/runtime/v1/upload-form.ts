/** Rules for forms with files, shared by both receivers. */
import { issue, toIssues } from "./issue.ts";
import { BodyFault } from "./json.ts";
import type { FileField, UploadCall } from "./upload.ts";

/** Name of the part with all arguments that are not files. */
export const jsonPart = "json";

/** Maximum number of parts that are not files. Only `json` is read; others are ignored like unknown fields of JSON. */
export const fieldsMax = 16;

/** Allowance for part headers and boundaries. */
const framingMaxBytes = 256 * 1024;

/** Returns the largest valid form size, in bytes. */
export function formMaxBytes({ fileMaxBytes, filesMax, bodyMaxBytes }: UploadCall): number {
  return fileMaxBytes * filesMax + bodyMaxBytes * fieldsMax + framingMaxBytes;
}

/** All errors of a form. */
export const formFaults = {
  noBoundary: (): BodyFault => new BodyFault("the form has no boundary"),
  unreadable: (thrown: unknown): BodyFault =>
    new BodyFault(
      `the form cannot be read: ${thrown instanceof Error ? thrown.message : "it is incomplete"}`,
    ),
  connectionLost: (): BodyFault => new BodyFault("the connection closed before the body was complete"),
  tooLarge: (maxBytes: number): BodyFault => new BodyFault(`the body is larger than ${maxBytes} bytes`),
  tooLargeJson: (maxBytes: number): BodyFault => new BodyFault(`/${jsonPart}: larger than ${maxBytes} bytes`),
  tooManyFiles: (filesMax: number): BodyFault => new BodyFault(`more than ${filesMax} files`),
  tooManyFields: (): BodyFault => new BodyFault(`more than ${fieldsMax} parts that are not files`),
  unknownFile: (name: string): BodyFault => fieldFault(name, "no file with this name", "a file"),
  secondFile: (name: string): BodyFault => fieldFault(name, "one file", "more than one"),
  tooLargeFile: (name: string, maxBytes: number): BodyFault =>
    fieldFault(name, `a file of at most ${maxBytes} bytes`, "a larger file"),
};

function fieldFault(name: string, expected: string, found: string): BodyFault {
  return BodyFault.of(toIssues([issue([name], expected, found)]));
}

/** Reports required files that the form lacks. Whether the argument of a field is present is not known yet. */
export function missingFiles(
  fields: readonly FileField[],
  files: ReadonlyMap<string, unknown>,
): BodyFault | undefined {
  return missing(fields.filter((field) => field.within === undefined && isMissing(field, files)));
}

export function isMissing(
  { name, isOptional, isList }: FileField,
  files: ReadonlyMap<string, unknown>,
): boolean {
  return !isOptional && !isList && !files.has(name);
}

export function missing(fields: readonly FileField[]): BodyFault | undefined {
  const issues = fields.map(({ name, within }) =>
    issue(within === undefined ? [name] : [within, name], "a file", "nothing"),
  );
  return issues.length === 0 ? undefined : BodyFault.of(toIssues(issues));
}

/** Longest file name in common file systems, in characters. */
const nameMaxLength = 255;

/** Returns a file name without folders, control characters, and characters that change the text direction. */
export function plainName(name: string | undefined): string | undefined {
  const last = name?.split(/[\\/]/).at(-1) ?? "";
  const plain = last.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "");
  return plain === "" ? undefined : plain.slice(0, nameMaxLength);
}
