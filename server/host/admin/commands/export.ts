import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isSystemError, writeReason } from "../../../../generator/language/diagnostics/system-reason.ts";
import { visibleJson } from "../../../../generator/language/diagnostics/visible.ts";
import { openSession, type Session } from "../../../base/storage/session.ts";
import { exportRecords } from "../../../market/import-export/import-export.ts";
import { kinds } from "../../../market/import-export/kinds/index.ts";
import type { RecordKind } from "../../../market/import-export/record-kind.ts";
import {
  type AdminContext,
  AdminFault,
  type AdminStreams,
  type Command,
  type Input,
  isGiven,
  type Output,
} from "../command.ts";

export const exports: readonly Command[] = kinds.map((kind) => ({
  name: `export ${kind.name}`,
  help: `write all ${kind.name.replace("-", " ")} as NDJSON, to a file or standard output`,
  positionals: ["[FILE|-]"],
  ...(kind.personalData === undefined
    ? {}
    : {
        options: {
          "include-pii": { valueName: "", help: `include ${kind.personalData.fields}`, isSwitch: true },
        },
      }),
  details: `One record per line, in the format of platform import ${kind.name}.`,
  run: (context, input) => run(kind, context, input),
}));

async function run(kind: RecordKind, { database, streams }: AdminContext, input: Input): Promise<Output> {
  const file = input.positionals[0] ?? "-";
  const includePersonalData = isGiven(input, "include-pii");
  const { connection } = await database();
  await using session = await openSession({ ...connection, application_name: "platform: export" });
  if (!includePersonalData) await reportOmitted(session, kind, streams);
  const records = exportRecords(session, kind, { includePersonalData });
  if (file === "-") {
    await write(records, streams.stdout, { end: false });
    return { isWritten: true };
  }
  // Written under a temporary name, so that the final file is always complete.
  const unfinished = `${file}.part`;
  try {
    const written = await write(records, createWriteStream(unfinished, { mode: 0o600 }));
    await rename(unfinished, file);
    return { record: { kind: kind.name, records: written, file } };
  } catch (err) {
    await rm(unfinished, { force: true }).catch(() => {});
    if (isSystemError(err)) throw new AdminFault(`cannot write ${file}: ${writeReason(err)}`);
    throw err;
  }
}

async function reportOmitted(
  session: Session,
  { personalData }: RecordKind,
  { stderr }: AdminStreams,
): Promise<void> {
  if (personalData === undefined) return;
  const [row] = await session.query<{ readonly count: number }>(personalData.countOmittedSql);
  const count = row?.count ?? 0;
  const records = count === 0 ? "" : `, and so are ${count} records that only these fields identify`;
  stderr.write(`platform: ${personalData.fields} are omitted${records}; add --include-pii to include them\n`);
}

/**
 * Writes records as fast as the stream accepts them, and returns their number. The reader may close the pipe early, as `head`
 * does.
 */
async function write(
  records: ReturnType<typeof exportRecords>,
  stream: Writable,
  options: { readonly end?: boolean } = {},
): Promise<number> {
  let written = 0;
  async function* texts(): AsyncIterable<string> {
    for await (const { text, records: count } of records) {
      yield visibleJson(text);
      written += count;
    }
  }
  try {
    await pipeline(texts(), stream, options);
  } catch (err) {
    if (!(err instanceof Error && "code" in err && err.code === "EPIPE")) throw err;
  }
  return written;
}
