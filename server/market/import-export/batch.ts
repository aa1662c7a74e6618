import { type CopyValue as Cell, copyCells } from "../../base/storage/copy.ts";
import type { EntryLocation } from "./reading/read-entries.ts";
import type { RecordKind, StagedRow } from "./record-kind.ts";

export interface InvalidEntry extends EntryLocation {
  readonly reason: string;
}

/** Most entries and bytes of text in a batch: large enough to amortise a commit, small enough to be held twice. */
const maxEntries = 5_000;
const maxTextBytes = 8_388_608;

export class Batch {
  readonly #key: readonly number[];
  readonly #id: number;
  readonly #head: number;
  readonly #rows = new Map<string, StagedRow>();
  readonly #keyOfId = new Map<Cell, string>();
  readonly errors: InvalidEntry[] = [];
  #entries = 0;
  #bytes = 0;

  constructor({ columns, key, addNew }: Pick<RecordKind, "columns" | "key" | "addNew">) {
    const indexes = new Map(columns.map(([name], index) => [name, index]));
    this.#key = key.map((name) => indexes.get(name) ?? -1);
    this.#id = indexes.get("id") ?? -1;
    this.#head = addNew?.head ?? 0;
  }

  get entries(): number {
    return this.#entries;
  }

  get isFull(): boolean {
    return this.#entries >= maxEntries || this.#bytes >= maxTextBytes;
  }

  /** The last entry of each key. */
  get rows(): readonly StagedRow[] {
    return [...this.#rows.values()];
  }

  reject(location: EntryLocation, reason: string): void {
    this.#entries++;
    this.errors.push({ ...location, reason });
  }

  add(location: EntryLocation, cells: readonly Cell[], bytes: number): void {
    const key = this.#key.map((index) => cells[index]).join("\n");
    const id = this.#id === -1 ? null : (cells[this.#id] ?? null);
    if (id !== null) {
      const other = this.#keyOfId.get(id);
      if (other !== undefined && other !== key) {
        this.reject(location, `/id: ${id} already belongs to a record above`);
        return;
      }
      this.#keyOfId.set(id, key);
    }
    this.#entries++;
    this.#bytes += bytes;
    // A later entry moves to the end.
    this.#rows.delete(key);
    // Holds one encoded string until the merge, rather than each cell.
    const rest = copyCells(cells.slice(this.#head));
    this.#rows.set(key, { location, head: cells.slice(0, this.#head), rest });
  }
}
