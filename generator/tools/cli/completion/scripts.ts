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
