/** What JSON text means, and how it is written. */
export interface JsonCodec {
  parse(text: string): unknown;
  print(value: unknown): string;
}
