import { decode } from "../../../language/source/decode.ts";
import type { ReadResult, SourceReader } from "../../../language/source/reader.ts";
import { readStandardInput } from "../files/reader.ts";

/** The text of a request, or the reason why it cannot be read. */
export type ArgumentText = { readonly text: string } | { readonly reason: string };

/** Reads the argument JSON: itself, `@FILE`, or `-` for standard input. Without it, the request is empty. */
export async function readArgument(
  argument: string | undefined,
  reader: SourceReader,
): Promise<ArgumentText> {
  if (argument === undefined) return { text: "{}" };
  if (argument === "-") return textOf("Standard input", await readStandardInput());
  if (argument.startsWith("@")) return textOf(`"${argument.slice(1)}"`, reader.read(argument.slice(1)));
  return { text: argument };
}

function textOf(name: string, read: ReadResult): ArgumentText {
  switch (read.kind) {
    case "bytes":
      return { text: decode(read.bytes).text.replace(/^\uFEFF/, "") };
    case "unreadable":
      return { reason: `${name} cannot be read: ${read.reason}.` };
    case "too-large":
      return { reason: `${name} is too large for a request.` };
  }
}
