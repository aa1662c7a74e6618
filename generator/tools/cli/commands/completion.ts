import { type Command, defineCommand } from "../command.ts";
import { exitCode, usageText } from "../command-error.ts";

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

/**
 * The completion script of each shell. A script passes the words before the cursor to the hidden command `__complete`, and shows
 * the candidates that it prints. Without candidates, the shell completes files.
 */
export const completionScripts: Readonly<Record<string, string>> = {
  // COMP_WORDS would split URLs at colons. The variable is global in bash 3, which has no mapfile either.
  bash: `_ridlkit() {
  local IFS=$' \\t\\n' line=\${COMP_LINE:0:COMP_POINT} words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  IFS=$'\\n'
  COMPREPLY=($("\${words[0]}" __complete "\${words[@]:1}" 2>/dev/null | cut -f 1))
}
complete -o default -F _ridlkit ridlkit
`,
  zsh: `#compdef ridlkit
_ridlkit() {
  local -a candidates
  candidates=("\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=("\${(@)candidates/$'\\t'/:}")
  if [[ -n \${candidates[1]} ]]; then _describe ridlkit candidates; else _files; fi
}
compdef _ridlkit ridlkit
`,
  fish: `function __ridlkit_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] __complete $words[2..-1] 2>/dev/null
end
complete -c ridlkit -a '(__ridlkit_complete)'
`,
};
