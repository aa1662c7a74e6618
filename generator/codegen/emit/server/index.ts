import { claimName } from "../../plan/names.ts";
import { hasReads, isOmitted, type Plan } from "../../plan/plan.ts";
import type { EmittedFile } from "../emitter.ts";
import { type Overrides, template } from "../render.ts";
import { header } from "../text.ts";
import errorsTemplate from "./errors.hbs";
import { viewErrors } from "./errors-view.ts";
import indexTemplate from "./index.hbs";
import { viewIndex } from "./index-view.ts";
import serviceTemplate from "./service.hbs";
import { viewService } from "./service-view.ts";

export interface ServerEmitOptions {
  /** Whether uploads are kept in memory, because no adapter has a disk. Default false. */
  readonly filesInMemory?: boolean;
  readonly overrides?: Overrides | undefined;
  /** The plans of the earlier versions that the server speaks, the oldest first. */
  readonly kept?: readonly Plan[];
}

/** Custom templates made for version 0.1 check this name, and import the validators if it is true. */
const validation = true;

const printIndex = template<object>(indexTemplate);
const printErrors = template<object>(errorsTemplate);
const printService = template<object>(serviceTemplate);

/**
 * Emits `server/`: one file per service with the types of its handlers, the errors as data, and `createServer`.
 * Services whose methods all stream their requests are omitted, and so is the server if no service remains.
 */
export function emitServer(
  plan: Plan,
  { filesInMemory = false, overrides, kept = [] }: ServerEmitOptions = {},
): readonly EmittedFile[] {
  const files = serverFiles(plan);
  const firstLine = header(plan.schemaFile);
  const served = plan.services.filter(({ methods }) => !methods.every(isOmitted));
  if (served.length === 0) return [];
  const services = served.map((service) => {
    const text = printService(
      { firstLine, files, ...viewService(service, { hasReads: hasReads(plan) }) },
      overrides,
    );
    return { path: `server/${service.fileName}.ts`, text };
  });
  return [
    {
      path: `server/${files.index}.ts`,
      text: printIndex(
        { firstLine, files, validation, ...viewIndex({ ...plan, services: served }, filesInMemory, kept) },
        overrides,
      ),
    },
    {
      path: `server/${files.errors}.ts`,
      text: printErrors({ firstLine, ...viewErrors(plan.errors) }, overrides),
    },
    ...services,
  ];
}

/** Emits the methods as data, without the types of handlers. */
export function emitDefinitions(plan: Plan): readonly EmittedFile[] {
  const firstLine = header(plan.schemaFile);
  const served = plan.services.filter(({ methods }) => !methods.every(isOmitted));
  const options = { hasReads: hasReads(plan), hasHandlers: false };
  return served.map((service) => ({
    path: `server/${service.fileName}.ts`,
    text: printService({ firstLine, files: serverFiles(plan), ...viewService(service, options) }),
  }));
}

/** Names of the files other than those of services. A service may be called Index or Errors. */
export interface ServerFiles {
  readonly index: string;
  readonly errors: string;
}

function serverFiles({ services }: Plan): ServerFiles {
  const taken = new Set(services.map(({ fileName }) => fileName));
  return {
    index: claimName("index", taken),
    errors: claimName("errors", taken),
  };
}
