// Operators move credits: in, out, and back to a workspace that was wrongly charged. The audit records each move.
import { MoveCredits, operations, RefundCall } from "@atelier/contract";
import {
  type Credits,
  deriveTransactionId,
  listCreditLines,
  type Moved,
  presentBalance,
} from "../../capabilities/calls/index.ts";
import { creditsText, parseCredits } from "../../capabilities/prices/index.ts";
import { type AdminCaller, actingAsAdmin } from "../../capabilities/tokens/index.ts";
import type { Cursors } from "../../foundation/cursor.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Incoming, type Route, route } from "../../foundation/http/area.ts";
import { requireId, type WorkspaceId } from "../../foundation/ids.ts";
import { badField } from "../../foundation/json/bad-field.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { freshAnswer } from "./fresh-answer.ts";
import { requireWorkspaceId } from "./require-field.ts";
import type { AdminWorkspaces } from "./workspaces.route.ts";

export interface CreditRouteDeps {
  readonly credits: Credits;
  readonly workspaces: Pick<AdminWorkspaces, "get">;
  readonly cursors: Cursors;
}

export function getWorkspaceCreditsRoute(deps: CreditRouteDeps): Route<AdminCaller> {
  return route(operations.getWorkspaceCredits, async (incoming) => {
    const workspaceId = await knownWorkspace(deps, incoming);
    return freshAnswer(200, presentBalance(await deps.credits.wallet(workspaceId)));
  });
}

export function listWorkspaceCreditLinesRoute(deps: CreditRouteDeps): Route<AdminCaller> {
  return route(operations.listWorkspaceCreditLines, async (incoming) => {
    const workspaceId = await knownWorkspace(deps, incoming);
    return freshAnswer(200, await listCreditLines(deps, workspaceId, incoming.query));
  });
}

export function topUpWorkspaceRoute(deps: CreditRouteDeps): Route<AdminCaller> {
  return route(operations.topUpWorkspace, (incoming) => move(deps, incoming, "fund"));
}

export function withdrawFromWorkspaceRoute(deps: CreditRouteDeps): Route<AdminCaller> {
  return route(operations.withdrawFromWorkspace, (incoming) => move(deps, incoming, "withdraw"));
}

export function refundCallRoute({ credits }: CreditRouteDeps): Route<AdminCaller> {
  return route(operations.refundCall, async (incoming) => {
    const callId = requireId<"call">(incoming.params["callId"], "There is no such call.");
    const sent = (await incoming.bytes()).length === 0 ? {} : await incoming.json();
    const { note } = requireValid(RefundCall, sent);
    const by = actingAsAdmin(incoming.caller, incoming.requestId);
    const { workspaceId, amount, wallet } = await credits.refund(callId, { ...by, note });
    return freshAnswer(200, presentMove({ transactionId: callId, workspaceId, amount }, wallet));
  });
}

async function move(deps: CreditRouteDeps, incoming: Incoming<AdminCaller>, kind: "fund" | "withdraw") {
  const workspaceId = await knownWorkspace(deps, incoming);
  const { amount: text, note } = requireValid(MoveCredits, await incoming.json());
  const amount = parseCredits(text);
  if (amount === null || amount <= 0n) throw badField("amount", "must be an amount of credits above 0");
  const transactionId = deriveTransactionId(kind, workspaceId, readKey(incoming));
  const by = actingAsAdmin(incoming.caller, incoming.requestId);
  const request = { transactionId, workspaceId, amount, note };
  const moved: Moved = await (kind === "fund" ? deps.credits.topUp(request, by) : deps.credits.withdraw(request, by));
  const answer = freshAnswer(201, presentMove(request, moved.wallet));
  return moved.isNew ? answer : { ...answer, headers: { ...answer.headers, "idempotent-replayed": "true" } };
}

function presentMove(
  move: { transactionId: string; workspaceId: WorkspaceId; amount: bigint },
  wallet: Moved["wallet"],
) {
  return {
    transaction_id: move.transactionId,
    workspace_id: move.workspaceId,
    amount: creditsText(move.amount),
    credits: presentBalance(wallet),
  };
}

async function knownWorkspace(deps: CreditRouteDeps, incoming: Incoming<AdminCaller>): Promise<WorkspaceId> {
  const workspaceId = requireWorkspaceId(incoming);
  await deps.workspaces.get(workspaceId);
  return workspaceId;
}

// At most one header: two would be two names for one move.
function readKey({ rawHeaders }: Incoming<AdminCaller>): string | null {
  const given = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === "idempotency-key");
  const [key] = given;
  if (key === undefined) return null;
  if (given.length === 1 && /^[!-~]{1,255}$/.test(key)) return key;
  throw new Fault("invalid_request", "Idempotency-Key must be sent once, with 1 to 255 visible ASCII characters.");
}
