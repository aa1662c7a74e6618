import { SourceMap, type SourceMapPayload } from "node:module";

/** Brings stacks that name places in a bundle back to the files that it was made of. */
export class StackMapper {
  readonly #bundle: string;
  readonly #mapText: string;
  #map: SourceMap | undefined;

  /** `bundle` is what stacks call the text that the map is of. */
  constructor(bundle: string, mapText: string) {
    this.#bundle = bundle;
    this.#mapText = mapText;
  }

  /** The stack of what was thrown, or what it is; calls of Node and of the program are left out. */
  stackOf(thrown: unknown): string {
    const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    const lines = stack.split("\n").filter((line) => !/^ +at /.test(line) || line.includes(this.#bundle));
    const place = /:(\d+):(\d+)(?=\)?$)/;
    return lines
      .map((line) => {
        const [found, row, column] = place.exec(line) ?? [];
        if (found === undefined || !line.includes(this.#bundle + found)) return line;
        return line.replace(this.#bundle + found, () => this.#original(Number(row), Number(column)));
      })
      .join("\n");
  }

  /** Parsed when somebody asks: most versions throw nothing. */
  #original(row: number, column: number): string {
    this.#map ??= new SourceMap(JSON.parse(this.#mapText) as SourceMapPayload);
    const entry = this.#map.findEntry(row - 1, column - 1);
    if (!("originalSource" in entry)) return `${this.#bundle}:${row}:${column}`;
    return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  }
}
