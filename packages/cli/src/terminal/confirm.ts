// Asks before something is lost. Without a terminal on both sides, or with --json, we never ask: then --yes is required, and its
// absence is a usage error.
import { createInterface } from "node:readline/promises";
import type { CommandInput } from "@atelier/server/commands";
import type { ClientCall } from "../read-call.ts";
import { ClientProblem } from "../server/client-problem.ts";

export async function confirm(question: string, call: Pick<ClientCall, "has">, input: CommandInput): Promise<void> {
  if (call.has("yes")) return;
  if (input.json || !input.isTerminal || process.stdin.isTTY !== true)
    throw new ClientProblem("usage", "usage", `${question} Nothing was changed.`, { hint: "confirm with --yes" });
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await reader.question(`${question} [y/N] `);
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    reader.close();
  }
  throw new ClientProblem("usage", "usage", "Nothing was changed.");
}
