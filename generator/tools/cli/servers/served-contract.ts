import { createPlan } from "../../../codegen/generate.ts";
import { filterModel } from "../../../codegen/plan/filter.ts";
import type { Plan } from "../../../codegen/plan/plan.ts";
import { routeOf } from "../../../codegen/plan/routes.ts";
import type { CompiledSchema } from "../../../language/compile.ts";
import { filterIr } from "../../../language/ir/filter.ts";
import { writeIr } from "../../../language/ir/write.ts";
import type { Model } from "../../../language/model/model.ts";
import type { ExplorerContract } from "../../dev/explorer-site.ts";
import type { Schema } from "../config/schemas.ts";
import { exampleRequests } from "./example-requests.ts";
import { keyInfos } from "./key-infos.ts";
import { firstSteps } from "./start-message.ts";

export interface ServedContract extends ExplorerContract {
  /** The text below the first line of a started server. */
  readonly firstSteps: (url: string, explorerUrl: string) => string;
}

export interface ServedContractOptions {
  /** Starts the server: `npx ridlkit dev`. */
  readonly command: string;
  /** A mock accepts every key. */
  readonly isMock: boolean;
}

/** What the explorer shows for a schema, and what a terminal shows. */
export function servedContract(
  { model, ir }: CompiledSchema,
  schema: Schema,
  { command, isMock }: ServedContractOptions,
): ServedContract {
  const served = filterModel(model, schema.filter);
  const servedIr = filterIr(ir, schema.filter);
  const keys = keyInfos(served, schema.generation?.openapi ?? {}).map((key) =>
    isMock ? { ...key, value: "any" } : key,
  );
  const plan = (): Plan => createPlan(served, servedIr, { schemaFile: schema.path });
  return {
    irText: writeIr(servedIr),
    hostInfo: () => ({ keys, command, examples: exampleRequests(plan()), ...(isMock ? { isMock } : {}) }),
    getPaths: getPathsOf(served),
    firstSteps: (url, explorerUrl) => firstSteps({ plan: plan(), url, explorerUrl, keys }),
  };
}

function getPathsOf(model: Model): readonly string[] {
  return model.services.flatMap((service) =>
    service.methods.flatMap(({ route }) => {
      if (route === undefined) return [];
      const { verb, path } = routeOf(route, service, model);
      return verb === "GET" ? [path] : [];
    }),
  );
}
