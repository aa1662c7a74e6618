import { type Host, variable } from "./host.ts";
import { type Format, formatsWanted, readOption, switches } from "./options.ts";
import { type Attempt, refuseUsage } from "./refusal.ts";

/** What the environment says; each goes after its flag and before the configuration. */
export interface Environment {
  readonly config?: string | undefined;
  readonly format?: Format | undefined;
  readonly strict?: boolean | undefined;
  readonly schemaVersion?: string | undefined;
}

export function readEnvironment(host: Host): Attempt<Environment> {
  const format = variable(host, "RIDLKIT_FORMAT");
  const strict = variable(host, "RIDLKIT_STRICT");
  const environment = {
    config: variable(host, "RIDLKIT_CONFIG"),
    format: format === undefined ? undefined : readOption.format.read(format),
    strict: strict === undefined ? undefined : switches.get(strict),
    schemaVersion: variable(host, "WEBRPC_SCHEMA_VERSION"),
  };
  if (format !== undefined && environment.format === undefined)
    return refuseVariable("RIDLKIT_FORMAT", formatsWanted, format);
  if (strict !== undefined && environment.strict === undefined)
    return refuseVariable("RIDLKIT_STRICT", "1 or 0", strict);
  return { value: environment };
}

function refuseVariable(name: string, wanted: string, found: string): Attempt<never> {
  return refuseUsage(`The environment variable ${name} takes ${wanted}; found "${found}".`);
}

/** Flag, then FORCE_COLOR, then NO_COLOR, then whether a person reads along on a terminal that knows colours. */
export function wantsColour(host: Host, flag: boolean | undefined): boolean {
  const force = variable(host, "FORCE_COLOR");
  if (flag !== undefined) return flag;
  if (force !== undefined) return force !== "0" && force !== "false";
  if (variable(host, "NO_COLOR") !== undefined) return false;
  return host.terminal.errIsTerminal && variable(host, "TERM") !== "dumb";
}
