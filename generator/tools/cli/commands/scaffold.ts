import { syncStateFile } from "../../../handlers/sync-state.ts";
import { type Command, defineCommand } from "../command.ts";
import { scaffoldHandlers, scaffoldOptions } from "../scaffold/scaffolding.ts";

export const scaffold: Command = defineCommand({
  name: "scaffold",
  summary: "write missing handlers, follow renamed ones",
  usage: "[options] [SERVICE | SERVICE.METHOD ...]",
  description: `Gives each method without a handler a file of its own, DIR/Service/Method.ts, and puts it where
the others are gathered: an object, a class or a module, with or without wrappers. A file that is
there is yours: only names of generated types, methods and modules are changed in it, where the
schema renamed them. A method is known again by the annotation @renamedFrom:OldName, or by its
shape if that is not to be mistaken. Handlers of methods that are gone are told and left alone.
With names only these get new files. What the handlers were last in line with stands in
DIR/${syncStateFile}, which belongs into version control.
With --format json: { ok, files: [{ path, state }], diagnostics }; state: added, changed or moved`,
  options: scaffoldOptions,
  exclusiveOptions: [],
  takesSeveralSchemas: true,
  takesNames: true,
  jsonStream: "out",
  examples: [
    { command: "ridlkit scaffold", description: "all methods of the configuration's schemas" },
    { command: "ridlkit scaffold Shop.GetOrders --dry-run", description: "shows what would be written" },
  ],
  async run(call) {
    return (await scaffoldHandlers(call)).code;
  },
});
