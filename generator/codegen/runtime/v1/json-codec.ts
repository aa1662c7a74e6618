/** Parses and prints JSON. Implementations differ in how they represent big integers. */
export interface JsonCodec {
  parse(text: string): unknown;
  print(value: unknown): string;
}
