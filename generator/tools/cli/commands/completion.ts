import { type Command, defineCommand } from "../command.ts";
import { exitCode, usageText } from "../command-error.ts";
import { completionScripts } from "../completion/scripts.ts";

export const completion: Command = defineCommand({
  name: "completion",
  usage: "bash | zsh | fish",
  description: `Prints a script for the shell. It completes commands, options, and the methods that call takes, from
the configuration's schema or --schema. The shell must find ridlkit in PATH; in a project, add
node_modules/.bin.

  bash: add to ~/.bashrc             eval "$(ridlkit completion bash)"
  zsh:  add to ~/.zshrc              eval "$(ridlkit completion zsh)"
        after                        autoload -U compinit && compinit
  fish: add to ~/.config/fish/config.fish
                                     ridlkit completion fish | source`,
  options: {},
  exclusiveOptions: [],
  takesSeveralSchemas: false,
  readsSchemas: false,
  jsonStream: "err",
  examples: [{ command: "ridlkit completion bash", description: "Print the script for bash" }],
  run({ positionals, terminal }) {
    const [shell = "", ...more] = positionals;
    const script = more.length === 0 && Object.hasOwn(completionScripts, shell) && completionScripts[shell];
    if (script) {
      terminal.out(script);
      return exitCode.ok;
    }
    const found = positionals.length === 0 ? "nothing" : `"${positionals.join(" ")}"`;
    terminal.err(
      usageText(
        `"completion" takes ${Object.keys(completionScripts).join(", ")}; found ${found}.`,
        "ridlkit help completion",
      ),
    );
    return exitCode.usage;
  },
});
