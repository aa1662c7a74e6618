/** One thing that ridlkit can say. */
export interface CatalogEntry {
  /** Stable for ever: `RK` and three digits out of the range of its area. */
  readonly code: string;
  /** `error` is what the reference tool refuses too, or crashes on; `warning` is what it lets pass and we find wrong. */
  readonly severity: "error" | "warning";
  /** One sentence; `{name}` stands for a parameter. */
  readonly message: string;
  /** One sentence: what to do, where that is the same at every place. */
  readonly advice?: string;
  /** How the same is said of a schema in YAML, where the words above show RIDL. */
  readonly inYaml?: { readonly message?: string; readonly advice?: string };
}
