import type {
  EnumModel,
  FieldModel,
  MethodModel,
  Model,
  PayloadModel,
  StructModel,
} from "../../language/model/model.ts";
import { compareVersions, parseVersion } from "../../language/semantic-version.ts";
import { findBreaks } from "./compare.ts";
import type { BreakingFinding } from "./findings.ts";
import { declaredRenames } from "./renames.ts";

/** What a version changed for the clients of the version before. */
export interface ContractChanges extends Additions {
  /** Findings of the breaking rules: errors break calls, warnings may affect clients. */
  readonly findings: readonly BreakingFinding[];
}

export function changesBetween(
  before: Model,
  now: Model,
  withoutIgnored: (findings: readonly BreakingFinding[]) => readonly BreakingFinding[] = (findings) =>
    findings,
): ContractChanges {
  const findings = withoutIgnored(findBreaks({ before, now, first: "servers" }));
  const { added, renamed, deprecated } = findAdditions(before, now);
  // A required argument is new too, but what matters is that old clients do not send it.
  const reported = new Set(findings.flatMap(({ items = [] }) => items));
  return { findings, added: added.filter(({ name }) => !reported.has(name)), renamed, deprecated };
}

export type Release = "major" | "minor" | "patch";

/** The part of a version that the changes raise: https://semver.org. */
export function releaseOf({ findings, added, renamed, deprecated }: ContractChanges): Release {
  if (findings.some(({ severity }) => severity === "error")) return "major";
  return findings.length + added.length + renamed.length + deprecated.length > 0 ? "minor" : "patch";
}

/**
 * The lowest version of a release after `before`, with or without "v" as there. Before 1.0.0, breaking changes raise the minor number,
 * and all others the patch number, because package managers treat `^0.2.0` as "below 0.3.0". A pre-release becomes its release.
 */
export function nextVersion(before: string, release: Release): string | undefined {
  const version = parseVersion(before);
  if (version === undefined) return undefined;
  const { major, minor, patch, prerelease } = version;
  const prefix = before.startsWith("v") ? "v" : "";
  if (prerelease.length > 0) return `${prefix}${major}.${minor}.${patch}`;
  const raised = major > 0 ? release : release === "major" ? "minor" : "patch";
  const next = { major: [major + 1, 0, 0], minor: [major, minor + 1, 0], patch: [major, minor, patch + 1] };
  return `${prefix}${next[raised].join(".")}`;
}

/** Whether `version` is high enough for a release after `before`. A pre-release of the next version is. */
export function isHighEnough(version: string, before: string, release: Release): boolean {
  const [own, old, next] = [version, before, nextVersion(before, release) ?? ""].map((text) =>
    parseVersion(text),
  );
  if (own === undefined || old === undefined || next === undefined) return false;
  if (old.prerelease.length > 0) return compareVersions(own, old) > 0;
  return own.compareMain(next) >= 0;
}

/** Parts of a contract that only the newer version has. */
export interface Additions {
  readonly added: readonly Item[];
  /** Methods and fields that name those of the older version. */
  readonly renamed: readonly Rename[];
  /** Methods and fields that are deprecated in the newer version only. */
  readonly deprecated: readonly Deprecation[];
}

export interface Item {
  readonly kind: "service" | "method" | "argument" | "type" | "field" | "value" | "error";
  /** `Pet.age`. */
  readonly name: string;
}

export interface Rename {
  readonly from: string;
  readonly to: string;
}

export interface Deprecation {
  readonly name: string;
  readonly reason?: string;
}

interface Found {
  readonly added: Item[];
  readonly renamed: Rename[];
  readonly deprecated: Deprecation[];
}

function findAdditions(before: Model, now: Model): Additions {
  const found: Found = { added: [], renamed: [], deprecated: [] };
  addMethods(before, now, found);
  for (const type of now.types) {
    const old = before.typeByName.get(type.name);
    if (old === undefined) found.added.push({ kind: "type", name: type.name });
    else if (type.kind === "struct" && old.kind === "struct") addFields(old, type, found);
    else if (type.kind === "enum" && old.kind === "enum") addValues(old, type, found);
  }
  const known = new Set(before.errors.map(({ name }) => name));
  found.added.push(
    ...now.errors
      .filter(({ name }) => !known.has(name))
      .map(({ name }) => ({ kind: "error", name }) as const),
  );
  return found;
}

function addMethods(before: Model, now: Model, found: Found): void {
  const renames = [...declaredRenames(before, now)].map(([from, rename]) => ({ from, ...rename }));
  for (const { name: service, methods } of now.services) {
    const old = before.services.find(({ name }) => name === service);
    if (old === undefined) found.added.push({ kind: "service", name: service });
    for (const method of methods) {
      const name = `${service}.${method.name}`;
      const rename = renames.find(({ now: renamed }) => renamed === method);
      if (rename !== undefined) found.renamed.push({ from: rename.from, to: name });
      const known = rename?.before ?? old?.methods.find((one) => one.name === method.name);
      if (known === undefined) found.added.push({ kind: "method", name });
      else compareMethods(known, method, name, found);
    }
  }
}

function compareMethods(
  before: MethodModel,
  now: MethodModel,
  name: string,
  { added, deprecated }: Found,
): void {
  for (const side of ["input", "output"] as const) {
    const known = argumentNames(before[side]);
    // A payload that was a struct and has arguments now is a new form, which the breaking rules report.
    if (known === undefined) continue;
    const names = argumentNames(now[side]) ?? [];
    added.push(
      ...names
        .filter((argument) => !known.includes(argument))
        .map((argument) => ({ kind: "argument", name: `${name}(${argument})` }) as const),
    );
  }
  const own = deprecationOf(now);
  if (own !== undefined && deprecationOf(before) === undefined) deprecated.push({ name, ...own });
}

function argumentNames(payload: PayloadModel): readonly string[] | undefined {
  return payload.kind === "arguments" ? payload.arguments.map(({ name }) => name) : undefined;
}

function deprecationOf({ annotations }: MethodModel): { readonly reason?: string } | undefined {
  const annotation = annotations.find(({ name }) => name === "deprecated");
  if (annotation === undefined) return undefined;
  return annotation.value === undefined || annotation.value === "" ? {} : { reason: annotation.value };
}

function addFields(before: StructModel, now: StructModel, { added, renamed, deprecated }: Found): void {
  const known = (name: string): FieldModel | undefined =>
    before.fields.find((field) => (field.wireName ?? field.name) === name || field.name === name);
  for (const field of now.fields) {
    const wire = field.wireName ?? field.name;
    const name = `${now.name}.${wire}`;
    const old = known(wire);
    const source = old ?? known(field.constraints.renamedFrom ?? "");
    if (source === undefined) added.push({ kind: "field", name });
    else if (old === undefined)
      renamed.push({ from: `${now.name}.${source.wireName ?? source.name}`, to: name });
    const { deprecated: reason } = field.constraints;
    if (source !== undefined && reason !== undefined && source.constraints.deprecated === undefined)
      deprecated.push({ name, ...(reason === true ? {} : { reason }) });
  }
}

function addValues(before: EnumModel, now: EnumModel, { added }: Found): void {
  const known = new Set(before.values.map(({ wire }) => wire));
  for (const { wire } of now.values)
    if (!known.has(wire)) added.push({ kind: "value", name: `${now.name}.${wire}` });
}
