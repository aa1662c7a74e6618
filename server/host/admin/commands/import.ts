import { DatabaseFault } from "../../../base/storage/fault.ts";
import { openSession } from "../../../base/storage/session.ts";
import { Networks } from "../../../chain/networks/networks.ts";
import { readNetworks } from "../../../chain/networks/settings.ts";
import { type ImportCounts, importRecords } from "../../../market/import-export/import-export.ts";
import { kinds } from "../../../market/import-export/kinds/index.ts";
import { partitionCount } from "../../../market/import-export/merge.ts";
import { UnreadableFile } from "../../../market/import-export/reading/read-entries.ts";
import type { RecordKind } from "../../../market/import-export/record-kind.ts";
import { type AdminContext, AdminFault, type Command, firstOf, type Input, type Output } from "../command.ts";
import { FaultList, openInput, Progress, shownByDefault } from "../import-export.ts";

export const imports: readonly Command[] = kinds.map((kind) => ({
  name: `import ${kind.name}`,
  help: `import ${kind.name.replace("-", " ")} from a file or standard input`,
  positionals: ["[FILE|-]"],
  options: {
    faults: { valueName: "N", help: `show at most N invalid lines (default: ${shownByDefault})` },
  },
  details: describe(kind),
  run: (context, input) => run(kind, context, input),
}));

function describe({ name, identifiedBy, example }: RecordKind): string {
  return `The file is NDJSON (one record per line) or one JSON array, plain or compressed with gzip. Records are identified by ${identifiedBy}.
Example:

  ${JSON.stringify(example)}

Existing records are updated, so an interrupted import can be run again. An invalid line is reported with its number; the
valid ones are imported, and the exit code is 1. For all fields, see schema/records.ridl, or the output of
platform export ${name}.`;
}

async function run(
  kind: RecordKind,
  { config, database, streams }: AdminContext,
  input: Input,
): Promise<Output> {
  const shown = firstOf(input, "faults") ?? String(shownByDefault);
  if (!/^[0-9]{1,9}$/.test(shown)) throw new AdminFault(`--faults: expected a number, found "${shown}"`);
  using source = await openInput(input.positionals[0] ?? "-", streams);
  const { connection } = await database();
  const open = () => openSession({ ...connection, application_name: "platform: import" });
  await using session = await open();
  await using other = partitionCount(kind) > 1 ? await open() : undefined;
  using interrupt = untilInterrupted();
  using progress = new Progress(source, streams.stderr);
  const faults = new FaultList(source.name, Number(shown), streams.stderr);
  let counts: ImportCounts = { entries: 0, added: 0, changed: 0, invalid: 0 };
  try {
    await importRecords(kind, source.bytes, {
      sessions: other === undefined ? [session] : [session, other],
      networks: new Networks(readNetworks(config).networks),
      stop: interrupt.signal,
      onBatch: (done, found) => {
        counts = done;
        progress.clear();
        faults.add(found);
        progress.show(done);
      },
    });
  } catch (err) {
    if (err instanceof UnreadableFile) throw new AdminFault(`${source.name}: ${err.message}`);
    if (err instanceof DatabaseFault)
      throw new AdminFault(
        `${err.message}; ${counts.entries} entries are done. Run the command again: it skips the records that exist`,
      );
    throw err;
  }
  progress.clear();
  faults.printRest();
  const { entries, added, changed, invalid } = counts;
  const isStopped = interrupt.signal.aborted;
  return {
    record: {
      kind: kind.name,
      entries,
      added,
      changed,
      unchanged: entries - added - changed - invalid,
      invalid,
    },
    isIncomplete: invalid > 0 || isStopped,
    ...(isStopped
      ? { note: "The import was stopped. Run the command again: it skips the records that exist." }
      : {}),
  };
}

/** The first Ctrl-C stops after the current batch, the second one immediately. */
function untilInterrupted(): Disposable & { readonly signal: AbortSignal } {
  const stop = new AbortController();
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(1);
    stop.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);
  return {
    signal: stop.signal,
    [Symbol.dispose]() {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, onSignal);
    },
  };
}
