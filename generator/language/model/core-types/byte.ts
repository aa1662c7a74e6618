import type { IntegerDescriptor } from "./descriptor.ts";
import { integer } from "./integers.ts";

export const byte: IntegerDescriptor = integer(
  { low: 0, high: 255 },
  "a number from 0 to 255; `[]byte` is base64 text",
);
