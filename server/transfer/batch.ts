import type { CopyValue as Cell } from "../storage/copy.ts";
import type { RecordKind } from "./kind.ts";
import type { Place } from "./reading/entry.ts";

/** What is wrong with one entry of a file. */
export interface Fault extends Place {
  readonly reason: string;
}

/** Most entries of a batch, and most bytes of text in it: large enough that a commit costs little, small enough to be held twice. */
const entriesMax = 5_000;
const textMaxBytes = 8_388_608;

/** Entries that are merged together: all of them, or none. */
export class Batch {
  readonly #key: readonly number[];
  readonly #id: number;
  readonly #rows = new Map<string, { readonly place: Place; readonly cells: readonly Cell[] }>();
  readonly #keyOfId = new Map<Cell, string>();
  readonly faults: Fault[] = [];
  #entries = 0;
  #bytes = 0;

  constructor({ columns, key }: Pick<RecordKind, "columns" | "key">) {
    const places = new Map(columns.map(([name], index) => [name, index]));
    this.#key = key.map((name) => places.get(name) ?? -1);
    this.#id = places.get("id") ?? -1;
  }

  get entries(): number {
    return this.#entries;
  }

  get isFull(): boolean {
    return this.#entries >= entriesMax || this.#bytes >= textMaxBytes;
  }

  /** The place of the last entry with each key, and its cells. */
  get rows(): readonly { readonly place: Place; readonly cells: readonly Cell[] }[] {
    return [...this.#rows.values()];
  }

  refuse(place: Place, reason: string): void {
    this.#entries++;
    this.faults.push({ ...place, reason });
  }

  add(place: Place, cells: readonly Cell[], bytes: number): void {
    const key = this.#key.map((index) => cells[index]).join("\n");
    const id = this.#id === -1 ? null : (cells[this.#id] ?? null);
    if (id !== null) {
      const other = this.#keyOfId.get(id);
      if (other !== undefined && other !== key) {
        this.refuse(place, `/id: ${id} is another record's, which stands above`);
        return;
      }
      this.#keyOfId.set(id, key);
    }
    this.#entries++;
    this.#bytes += bytes;
    // What comes later goes to the end.
    this.#rows.delete(key);
    this.#rows.set(key, { place, cells });
  }
}
