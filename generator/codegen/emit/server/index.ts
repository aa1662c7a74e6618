import type { EmittedFile, Options } from "../../options.ts";
import { hasReads, isOmitted, type Plan, type PlannedService } from "../../plan/plan.ts";
import { Imports } from "../imports.ts";
import { template } from "../render.ts";
import { header } from "../text.ts";
import { viewErrors } from "./errors-view.ts";
import { exportsOf, viewIndex } from "./index-view.ts";
import ownTemplate from "./server.hbs";
import serviceTemplate from "./service.hbs";
import { viewService } from "./service-view.ts";

const print = template<object>(ownTemplate);
const printService = template<object>(serviceTemplate);

/**
 * Emits `server.ts`: the errors as data, the types of the handlers of each service, and `createServer`. Services whose
 * methods all stream their requests are omitted, and so is the server if no service remains.
 */
export function emitServer(plan: Plan, options: Options): readonly EmittedFile[] {
  const { overrides } = options.templates;
  const services = servedServices(plan);
  if (services.length === 0) return [];
  const imports = new Imports([]);
  const serviceOptions = { hasReads: hasReads(plan), hasHandlers: true, imports };
  const view = {
    firstLine: header(plan.schemaFile),
    exports: exportsOf(plan).lines("export"),
    ...viewErrors(plan.errors),
    serviceTexts: services.map((service) =>
      printService(viewService(service, serviceOptions), overrides).trimEnd(),
    ),
    ...viewIndex({ ...plan, services }, options, imports),
  };
  return [{ path: "server.ts", text: print({ ...view, imports: imports.lines() }, overrides) }];
}

/** Emits the methods as data, without the types of handlers. */
export function emitDefinitions(plan: Plan): readonly EmittedFile[] {
  const imports = new Imports([]);
  const options = { hasReads: hasReads(plan), hasHandlers: false, imports };
  const services = servedServices(plan).map((service) => printService(viewService(service, options)));
  if (services.length === 0) return [];
  const head = [header(plan.schemaFile), ...imports.lines()].join("\n");
  return [{ path: "server.ts", text: `${head}\n\n${services.join("\n")}` }];
}

function servedServices({ services }: Plan): readonly PlannedService[] {
  return services.filter(({ methods }) => !methods.every(isOmitted));
}
