import type { ContractChanges } from "../../../verify/breaking/release.ts";

/** A schema and its kept versions, in the JSON of `ridlkit history`. */
export interface HistoryJson {
  readonly schema: string;
  readonly project?: string;
  readonly folder: string;
  /** The version of the schema. */
  readonly version: string;
  /** Oldest first. */
  readonly kept: readonly { readonly version: string; readonly path: string }[];
  /** What `add` did. */
  readonly state?: "added" | "unchanged";
  /** The release that the changes of the schema need. Absent if there are none. */
  readonly since?: { readonly version: string; readonly release: string; readonly next: string };
  /** Newest first, from `changelog`. */
  readonly changelog?: readonly VersionJson[];
}

export interface VersionJson extends Partial<ChangesJson> {
  readonly version: string;
  readonly released: boolean;
  /** The version before it. Absent for the first version. */
  readonly since?: string;
}

export interface ChangesJson {
  readonly breaking: readonly FindingJson[];
  readonly warnings: readonly FindingJson[];
  readonly added: ContractChanges["added"];
  readonly renamed: ContractChanges["renamed"];
  readonly deprecated: ContractChanges["deprecated"];
}

export interface FindingJson {
  readonly code: string;
  readonly message: string;
  /** A generated server converts calls of the version before. */
  readonly converted?: true;
}
