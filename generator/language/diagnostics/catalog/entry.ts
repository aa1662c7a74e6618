/** The message and advice of one code. */
export interface CatalogEntry {
  /** Never changes: `RK` and three digits from the range of the area. */
  readonly code: string;
  /** `error`: the reference rejects this too, or crashes. `warning`: the reference accepts this, but it is wrong. */
  readonly severity: "error" | "warning";
  /** One sentence; `{name}` stands for a parameter. */
  readonly message: string;
  /** One sentence: what to do. Undefined if that differs from case to case. */
  readonly advice?: string;
  /** Replaces `message` and `advice` for YAML schemas, if these show RIDL syntax. */
  readonly inYaml?: { readonly message?: string; readonly advice?: string };
}
