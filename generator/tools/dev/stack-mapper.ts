import { SourceMap, type SourceMapPayload } from "node:module";

/** Maps positions in stacks from a bundle to the original files. */
export class StackMapper {
  readonly #bundle: string;
  readonly #mapText: string;
  #map: SourceMap | undefined;

  /** `bundle` is the path of the bundle in stacks; `mapText` is its source map as JSON. */
  constructor(bundle: string, mapText: string) {
    this.#bundle = bundle;
    this.#mapText = mapText;
  }

  /** The mapped stack of a thrown value. Omits frames of Node and of ridlkit. */
  stackOf(thrown: unknown): string {
    const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    const lines = stack.split("\n").filter((line) => !/^ +at /.test(line) || line.includes(this.#bundle));
    const position = /:(\d+):(\d+)(?=\)?$)/;
    return lines
      .map((line) => {
        const [found, row, column] = position.exec(line) ?? [];
        if (found === undefined || !line.includes(this.#bundle + found)) return line;
        return line.replace(this.#bundle + found, () => this.#original(Number(row), Number(column)));
      })
      .filter((line) => !/^ +at .*\bridlkit:/.test(line))
      .join("\n");
  }

  /** Parses the source map on first use, because most versions throw nothing. */
  #original(row: number, column: number): string {
    this.#map ??= new SourceMap(JSON.parse(this.#mapText) as SourceMapPayload);
    const entry = this.#map.findEntry(row - 1, column - 1);
    if (!("originalSource" in entry)) return `${this.#bundle}:${row}:${column}`;
    return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  }
}
