import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { systemReason } from "../../../../generator/language/diagnostics/system-reason.ts";
import { AdminFault, type AdminStreams } from "../command.ts";

export interface InputFile extends Disposable {
  /** `orders.ndjson`, or `standard input`. */
  readonly name: string;
  readonly bytes: AsyncIterable<Buffer>;
  readonly size: number | undefined;
  readonly position: () => number;
}

export async function openInput(file: string, { stdin, stderr }: AdminStreams): Promise<InputFile> {
  const isStandard = file === "-";
  const name = isStandard ? "standard input" : file;
  if (isStandard && stdin.isTTY === true)
    stderr.write("platform: reading from standard input; end it with Ctrl-D\n");
  const size = isStandard ? undefined : await sizeOf(file);
  const stream = isStandard ? stdin : createReadStream(file, { highWaterMark: readBytes });
  let position = 0;
  async function* counted(): AsyncIterable<Buffer> {
    try {
      for await (const chunk of stream) {
        position += (chunk as Buffer).length;
        yield chunk as Buffer;
      }
    } catch (err) {
      throw new AdminFault(`cannot read ${name}: ${systemReason(err)}`);
    }
  }
  return {
    name,
    bytes: counted(),
    size,
    position: () => position,
    [Symbol.dispose]: () => void stream.destroy(),
  };
}

/** Size of a read, in bytes: larger reads are no faster. */
const readBytes = 262_144;

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    const { size, isDirectory, isFile } = await stat(file).then((found) => ({
      size: found.size,
      isDirectory: found.isDirectory(),
      isFile: found.isFile(),
    }));
    if (isDirectory) throw new AdminFault(`${file} is a folder; give a file, or - for standard input`);
    return isFile ? size : undefined;
  } catch (err) {
    if (err instanceof AdminFault) throw err;
    throw new AdminFault(`cannot read ${file}: ${systemReason(err)}`);
  }
}
