import { syncStateFile } from "../../../handlers/sync-state.ts";
import { scaffoldHandlers, scaffoldOptions } from "../scaffold/scaffolding.ts";
import { defineVerb, type Verb } from "../verb.ts";

/** Writes handlers that are missing, and brings those that are there in line with the schema. */
export const scaffold: Verb = defineVerb({
  name: "scaffold",
  says: "write missing handlers, follow renamed ones",
  usage: "[options] [SERVICE | SERVICE.METHOD ...]",
  about: `Gives each method without a handler a file of its own, DIR/Service/Method.ts, and puts it where
the others are gathered: an object, a class or a module, with or without wrappers. A file that is
there is yours: only names of generated types, methods and modules are changed in it, where the
schema renamed them. A method is known again by the annotation @renamedFrom:OldName, or by its
shape if that is not to be mistaken. Handlers of methods that are gone are told and left alone.
With names only these get new files. What the handlers were last in line with stands in
DIR/${syncStateFile}, which belongs into version control.
With --format json: { ok, files: [{ path, state }], diagnostics }; state: added, changed or moved`,
  options: scaffoldOptions,
  exclusive: [],
  several: true,
  takesNames: true,
  documentOn: "out",
  examples: [
    { command: "ridlkit scaffold", says: "all methods of the configuration's schemas" },
    { command: "ridlkit scaffold Shop.GetOrders --dry-run", says: "shows what would be written" },
  ],
  async run(call) {
    return (await scaffoldHandlers(call)).code;
  },
});
