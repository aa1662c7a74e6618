import { syncStateFile } from "../../../handlers/sync-state.ts";
import { type Command, defineCommand } from "../command.ts";
import { scaffoldHandlers, scaffoldOptions } from "../scaffold/scaffolding.ts";

export const scaffold: Command = defineCommand({
  name: "scaffold",
  usage: "[options] [SERVICE | SERVICE.METHOD ...]",
  description: `Creates a file with a stub for each method that has no handler, DIR/Service/Method.ts, and adds it
to the existing object, class or module of handlers, even if that is the argument of a function.

Existing files are yours. After a rename in the schema, only the names of generated types, methods
and modules are updated in your files. A renamed method is recognized by the annotation
@renamedFrom:OldName, or by its types if they are unambiguous. Handlers of removed methods are
reported, not deleted.

Names as arguments limit which stubs are created. The names in the schema at the last run are stored
in DIR/${syncStateFile}; commit this file.

With --format json: { ok, files: [{ path, state }], diagnostics }; state: added, changed or moved`,
  options: scaffoldOptions,
  takesNames: true,
  jsonStream: "out",
  examples: [
    { command: "ridlkit scaffold", description: "Create handlers for all schemas" },
    { command: "ridlkit scaffold Shop.GetOrders --dry-run", description: "Show what would be written" },
  ],
  async run(call) {
    return (await scaffoldHandlers(call)).code;
  },
});
