// Reads a secret from the keyboard without echoing it, or from a pipe: `pass atelier | atelier login https://…`.
import type { CommandInput } from "@atelier/server/commands";
import { ClientProblem } from "../server/client-problem.ts";

export async function readSecret(question: string, input: CommandInput): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY !== true) return fromPipe();
  if (input.json)
    throw new ClientProblem("usage", "usage", "With --json there is no prompt.", {
      hint: "pipe the key to standard input",
    });
  process.stderr.write(question);
  stdin.setRawMode(true);
  try {
    return await typed();
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    process.stderr.write("\n");
  }
}

async function fromPipe(): Promise<string> {
  let text = "";
  for await (const piece of process.stdin.setEncoding("utf8")) {
    text += piece;
    if (text.length > 10_000) break;
  }
  return text;
}

// Enter ends it, Ctrl-C and Ctrl-D abort, backspace deletes.
function typed(): Promise<string> {
  const { stdin } = process;
  const done = Promise.withResolvers<string>();
  let text = "";
  const take = (piece: string) => {
    for (const character of piece) {
      if (character === "\r" || character === "\n") return done.resolve(text);
      if (character === "\u0003" || character === "\u0004")
        return done.reject(new ClientProblem("interrupted", "interrupted", "Nothing was saved."));
      text = character === "\u007f" || character === "\b" ? text.slice(0, -1) : text + character;
    }
  };
  stdin.setEncoding("utf8").on("data", take).resume();
  return done.promise.finally(() => stdin.off("data", take));
}
