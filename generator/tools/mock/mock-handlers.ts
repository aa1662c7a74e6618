import { setTimeout as sleep } from "node:timers/promises";
import { isOmitted, type PlannedMethod, type PlannedService } from "../../codegen/plan/plan.ts";
import { TypeFinder } from "../../codegen/plan/type-finder.ts";
import type { LoadedContract } from "../../verify/in-memory/load.ts";
import { resourcesOf } from "../../verify/resources/resources.ts";
import type { TextSource } from "../../verify/samples/example-texts.ts";
import { echo } from "./echo.ts";
import type { Handler, MockContext } from "./mock-context.ts";
import { RecordHandlers } from "./record-handlers.ts";
import { RecordStore } from "./record-store.ts";
import { type Fields, requestSeed, type Sample, sampler } from "./samples.ts";

export interface HandlerOptions {
  readonly seed: number;
  readonly records: number;
  /** Source of realistic strings. Default: the built-in ones. */
  readonly texts?: TextSource;
}

/**
 * Creates handlers for all methods. Those that create, read, list, update or delete records share a store for each kind of record,
 * filled with new records; others return samples.
 */
export function mockHandlers(loaded: LoadedContract, { seed, records, texts }: HandlerOptions): object {
  const sample = sampler(loaded, texts);
  const handlerByMethod = new Map<PlannedMethod, Handler>();
  for (const resource of resourcesOf(loaded.plan)) {
    const store = new RecordStore(loaded, resource, { sample, seed });
    for (let count = 0; count < records; count++) store.create(undefined, {});
    const handlers = new RecordHandlers(loaded, resource, { store, sample }).handlers();
    for (const [method, handler] of handlers) handlerByMethod.set(method, handler);
  }
  return Object.fromEntries(
    loaded.plan.services.map((service) => [
      service.name,
      Object.fromEntries(
        service.methods
          .filter((one) => !isOmitted(one))
          .map((method) => [
            method.name,
            handlerByMethod.get(method) ?? sampleHandler(loaded, sample, service, method),
          ]),
      ),
    ]),
  );
}

function sampleHandler(
  loaded: LoadedContract,
  sample: Sample,
  { name }: PlannedService,
  method: PlannedMethod,
): Handler {
  const types = new TypeFinder(loaded.plan);
  const seedFor = ({ host }: MockContext, request: Fields): number =>
    requestSeed(host.seed, `${name}.${method.name}`, request);
  const sampleFor = (seed: number, request: Fields): Fields =>
    echo(types, method, request, sample(method.response.typeName, seed));
  if (method.fileOutput)
    return () => new Blob([`A file of ${name}.${method.name}\n`], { type: "text/plain" });
  if (!method.streamOutput) return (ctx, request) => sampleFor(seedFor(ctx, request), request);
  return async function* (ctx, request) {
    const seed = seedFor(ctx, request);
    for (let index = 0; index < ctx.host.items; index++) {
      await sleep(ctx.host.itemDelayMs, undefined, { signal: ctx.signal });
      yield sampleFor(seed + index, request);
    }
  };
}
