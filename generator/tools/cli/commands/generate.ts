import { type Command, defineCommand } from "../command.ts";
import { exitCode } from "../command-error.ts";
import { generationError, generationOptions } from "../generate/generation.ts";
import { writeGenerated } from "../generate/write-generated.ts";
import { schemaOptions } from "../options.ts";

const options = {
  ...schemaOptions,
  ...generationOptions,
  watch: {
    kind: "flag",
    description: "Generate again after each change of schemas, configuration or templates",
  },
} as const;

export const generate: Command = defineCommand({
  name: "generate",
  usage: "[options] [FILE]",
  description: `Writes the generated files of each schema to its output folder: types, errors, a client, a server,
and validators by default; --target selects others, such as openapi or json (the IR).
Without FILE, generates all schemas of the configuration, each to its "out".

Only changed files are written. Edits of generated files are overwritten. If a file that ridlkit did
not generate is in the place of a generated one, the file is reported, and nothing is written.

With --format json: { ok, files: [{ path, state }], diagnostics }; state: added, changed or deleted`,
  options,
  jsonStream: "out",
  examples: [
    { command: "ridlkit generate", description: "Generate all schemas" },
    {
      command: "ridlkit generate api.ridl --out src/api --target client",
      description: "Generate a client and its types",
    },
    {
      command: "ridlkit generate api.ridl --out docs --target openapi",
      description: "Write docs/openapi/openapi.yaml",
    },
  ],
  async run(call) {
    const error = generationError(call);
    if (error !== undefined) return call.refuse(error);
    if (call.options.watch !== true) return (await writeGenerated(call)).code;
    const { generateOnChange } = await import("../generate/watch.ts");
    await generateOnChange(call, async (schemas) => {
      const { outputs } = await writeGenerated({ ...call, schemas });
      return outputs.flatMap(({ sources }) => sources);
    });
    return exitCode.ok;
  },
});
