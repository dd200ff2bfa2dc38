// `atelier completion bash|zsh|fish`: generates a shell script from the list of commands: names, verbs and flags.
import type { Command, ListedCommand } from "@atelier/server/commands";
import { readCall, verbsOf } from "./read-call.ts";

export function completionCommand(commands: () => readonly ListedCommand[]): ListedCommand {
  return {
    name: "completion",
    about: "Print a completion script for your shell.",
    usage: ["completion bash", "completion zsh", "completion fish"],
    words: { bash: [], zsh: [], fish: [] },
    examples: [
      "atelier completion bash > ~/.local/share/bash-completion/completions/atelier",
      "atelier completion zsh > ~/.zfunc/_atelier",
      "atelier completion fish > ~/.config/fish/completions/atelier.fish",
    ],
    options: {},
    load: async () => completing(commands()),
  };
}

function completing(commands: readonly ListedCommand[]): Command {
  return {
    async run(listed, input) {
      const { verb } = readCall(listed, input.arguments);
      const script =
        verb === "fish" ? fishScript(commands) : verb === "zsh" ? zshScript(commands) : bashScript(commands);
      return { data: { shell: verb, script }, text: script };
    },
  };
}

const flagsOf = ({ options }: ListedCommand): string[] =>
  [...Object.keys(options), "json", "no-color", "help"].map((name) => `--${name}`);

function cases(commands: readonly ListedCommand[], indent: string): string {
  return commands
    .map(
      (command) =>
        `${indent}${command.name}) words="${[...Object.keys(verbsOf(command)), ...flagsOf(command)].join(" ").trimStart()}" ;;`,
    )
    .join("\n");
}

const namesOf = (commands: readonly ListedCommand[]): string => commands.map(({ name }) => name).join(" ");

// Our words contain nothing that a shell would interpret, so plain double quotes are enough.
function bashScript(commands: readonly ListedCommand[]): string {
  return `_atelier() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${namesOf(commands)} help --version"
  else
    case "\${COMP_WORDS[1]}" in
${cases(commands, "      ")}
      help) words="${namesOf(commands)}" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ "\${#COMPREPLY[@]}" -eq 0 ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -F _atelier atelier`;
}

function zshScript(commands: readonly ListedCommand[]): string {
  return `#compdef atelier
_atelier() {
  local words_given=("\${words[@]}") words=""
  if (( CURRENT == 2 )); then
    words="${namesOf(commands)} help --version"
  else
    case "\${words_given[2]}" in
${cases(commands, "      ")}
      help) words="${namesOf(commands)}" ;;
    esac
  fi
  compadd -- \${=words}
  _files
}
if [ "$funcstack[1]" = "_atelier" ]; then _atelier "$@"; else compdef _atelier atelier; fi`;
}

function fishScript(commands: readonly ListedCommand[]): string {
  const lines = commands.flatMap((command) => {
    const verbs = Object.keys(verbsOf(command)).filter((verb) => verb !== "");
    const isHere = `-n "__fish_seen_subcommand_from ${command.name}"`;
    return [
      `complete -c atelier -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.about)}`,
      ...(verbs.length === 0 ? [] : [`complete -c atelier ${isHere} -a "${verbs.join(" ")}"`]),
      ...Object.entries(command.options).map(
        ([name, { type, about }]) =>
          `complete -c atelier ${isHere} -l ${name}${type === "string" ? " -r" : ""} -d ${quoted(about)}`,
      ),
    ];
  });
  return ["complete -c atelier -l json -l no-color -l help", ...lines].join("\n");
}

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
