import { type CopyValue as Cell, copyCells } from "../../base/storage/copy.ts";
import type { RecordKind, StagedRow } from "./kind.ts";
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
  readonly #head: number;
  readonly #rows = new Map<string, StagedRow>();
  readonly #keyOfId = new Map<Cell, string>();
  readonly faults: Fault[] = [];
  #entries = 0;
  #bytes = 0;

  constructor({ columns, key, addNew }: Pick<RecordKind, "columns" | "key" | "addNew">) {
    const places = new Map(columns.map(([name], index) => [name, index]));
    this.#key = key.map((name) => places.get(name) ?? -1);
    this.#id = places.get("id") ?? -1;
    this.#head = addNew?.head ?? 0;
  }

  get entries(): number {
    return this.#entries;
  }

  get isFull(): boolean {
    return this.#entries >= entriesMax || this.#bytes >= textMaxBytes;
  }

  /** The last entry with each key. */
  get rows(): readonly StagedRow[] {
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
    // One text is held until it is merged, and not each of its cells.
    const rest = copyCells(cells.slice(this.#head));
    this.#rows.set(key, { place, head: cells.slice(0, this.#head), rest });
  }
}
