// `atelier credits`: shows a workspace's credits and lets the operator move them, on the machine itself. Each run of the
// command makes one move, which the audit records as made by the command line.
import type { CallId, Credits, Moved, Wallet } from "../../capabilities/calls/index.ts";
import { changeOf, createCredits, deriveTransactionId, presentBalance } from "../../capabilities/calls/index.ts";
import { creditsText, parseCredits } from "../../capabilities/prices/index.ts";
import { parseId, type WorkspaceId } from "../../foundation/ids.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { type Command, type CommandResult, readCommand } from "./command.ts";
import { chooseWorkspace, commandLine, withinProcess } from "./within-process.ts";

const linesShown = 10;

type Movement =
  | { readonly kind: "show" }
  | { readonly kind: "fund" | "withdraw"; readonly amount: bigint }
  | { readonly kind: "refund"; readonly callId: CallId };

export const creditsCommand: Command = {
  async run(listed, input) {
    const { config, options, verb, words } = readCommand(listed, input);
    const movement = readRequest(verb, words[0] ?? "");
    const note = typeof options["note"] === "string" ? options["note"] : undefined;
    return withinProcess(config, async ({ capabilities, storage }) => {
      const built = await capabilities();
      const credits = createCredits({ database: storage.database, audit: built.audit });
      if (movement.kind === "refund") return refund(credits, movement.callId, note);
      const chosen = await chooseWorkspace(built, options["workspace"]);
      const { id: workspaceId } = await built.identity.workspaces.get(chosen);
      if (movement.kind === "show") return show(credits, workspaceId);
      return move(credits, { ...movement, workspaceId, note });
    });
  },
};

// Checked before the database is opened, so that wrong usage fails immediately.
function readRequest(verb: string, word: string): Movement {
  if (verb === "show") return { kind: "show" };
  if (verb === "refund") {
    const callId = parseId<"call">(word);
    if (callId === null) throw new UsageProblem(["Pass a call id; usage rows and journal lines show it."]);
    return { kind: "refund", callId };
  }
  const amount = parseCredits(word);
  if (amount === null || amount <= 0n) {
    throw new UsageProblem(["The amount must be above 0 with at most six decimals, such as 250 or 0.5."]);
  }
  return { kind: verb === "add" ? "fund" : "withdraw", amount };
}

async function show(credits: Credits, workspaceId: WorkspaceId): Promise<CommandResult> {
  const wallet = await credits.wallet(workspaceId);
  const { lines } = await credits.lines({ workspaceId, before: null, limit: linesShown });
  const shown = lines.map((line) => ({
    at: line.at,
    kind: line.kind,
    change: creditsText(changeOf(line)),
    transaction_id: line.transactionId,
  }));
  const text = [
    balanceText(wallet),
    ...shown.map(
      (line) => `${line.at.toISOString()}  ${line.kind.padEnd(8)} ${line.change.padStart(16)}  ${line.transaction_id}`,
    ),
  ].join("\n");
  return { data: { workspace_id: workspaceId, ...presentBalance(wallet), lines: shown }, text };
}

async function move(
  credits: Credits,
  movement: { kind: "fund" | "withdraw"; workspaceId: WorkspaceId; amount: bigint; note: string | undefined },
): Promise<CommandResult> {
  const { kind, workspaceId, amount, note } = movement;
  const whole = { transactionId: deriveTransactionId(kind, workspaceId, null), workspaceId, amount, note };
  const moved: Moved = await (kind === "fund"
    ? credits.topUp(whole, commandLine)
    : credits.withdraw(whole, commandLine));
  const what = kind === "fund" ? "Added" : "Withdrew";
  return {
    data: {
      transaction_id: whole.transactionId,
      workspace_id: workspaceId,
      amount: creditsText(amount),
      ...presentBalance(moved.wallet),
    },
    text: `${what} ${creditsText(amount)} credits. ${balanceText(moved.wallet)}`,
  };
}

async function refund(credits: Credits, callId: CallId, note: string | undefined): Promise<CommandResult> {
  const { workspaceId, amount, wallet } = await credits.refund(callId, { ...commandLine, note });
  return {
    data: { transaction_id: callId, workspace_id: workspaceId, amount: creditsText(amount), ...presentBalance(wallet) },
    text: `Refunded ${creditsText(amount)} credits to workspace ${workspaceId}. ${balanceText(wallet)}`,
  };
}

function balanceText(wallet: Wallet): string {
  const { available, held, in_flight } = presentBalance(wallet);
  return `${available} credits available, ${held} held by ${in_flight} ${in_flight === 1 ? "call" : "calls"} in flight.`;
}
