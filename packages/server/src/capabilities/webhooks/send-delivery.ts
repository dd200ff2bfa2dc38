// One attempt: the request to the receiver, and what is reported about it.
import type { GuardedClient, GuardedOutcome } from "../../foundation/http/outgoing/guarded-client.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { KnownSecrets } from "../../foundation/known-secrets.ts";
import type { Log } from "../../foundation/log.ts";
import type { ClaimedDelivery } from "./delivery.ts";
import { deletedText, pausedText } from "./endpoints/endpoint.ts";
import type { Settlement, Withheld } from "./settle-attempt.ts";
import { signDelivery } from "./sign-delivery.ts";
import type { WebhookMeter } from "./webhook-metrics.ts";
import type { WebhookSecrets } from "./webhook-secrets.ts";

export interface SendDeps {
  // Which addresses are allowed depends on who chose the receiver: a customer, or the operator of a deployment.
  clientFor(delivery: Pick<ClaimedDelivery, "type" | "endpointId">): Pick<GuardedClient, "request">;
  readonly secrets: Pick<WebhookSecrets, "signing" | "signingFor" | "texts">;
  readonly userAgent: string;
  readonly known: Pick<KnownSecrets, "ofWorkspace">;
}

export const attemptMsMax = 15_000;
const answerBytesMax = 64 * 1024;

// The body as it leaves: redacted, because its source may repeat a secret of this server or of the workspace.
export async function bodyToSend(
  { known, secrets }: Pick<SendDeps, "known" | "secrets">,
  { workspaceId, body }: { readonly workspaceId: WorkspaceId; readonly body: Buffer },
): Promise<Buffer> {
  return (await known.ofWorkspace(workspaceId, await secrets.texts(workspaceId))).json(body);
}

export async function sendDelivery(
  deps: SendDeps,
  delivery: ClaimedDelivery,
  at: Date,
): Promise<GuardedOutcome | Withheld> {
  const secrets = await signingOf(deps, delivery);
  if (typeof secrets === "string") return { kind: "withheld", reason: secrets };
  const body = await bodyToSend(deps, delivery);
  return deps.clientFor(delivery).request({
    url: delivery.url,
    method: "POST",
    headers: {
      "content-type": "application/json",
      "user-agent": deps.userAgent,
      ...signDelivery({ id: delivery.id, body }, at, secrets),
    },
    body,
    answerBytesMax,
    totalMs: attemptMsMax,
    scope: delivery.workspaceId,
  });
}

// The secrets that sign it, or why it is not sent.
async function signingOf(
  { secrets }: SendDeps,
  { workspaceId, endpointId, isManual }: ClaimedDelivery,
): Promise<readonly Buffer[] | string> {
  if (endpointId === null) return secrets.signing(workspaceId);
  const endpoint = await secrets.signingFor(workspaceId, endpointId);
  if (endpoint === null) return deletedText;
  return endpoint.isPaused && !isManual ? pausedText : endpoint.secrets;
}

// The real reason goes only to the operator's log.
export function logAttempt(
  { log, meter }: { readonly log: Log; readonly meter: WebhookMeter },
  settlement: Settlement,
  outcome: GuardedOutcome | Withheld,
): void {
  if (outcome.kind === "withheld") return;
  const { delivery, status, durationMs, state: deploymentStatus } = settlement;
  meter.attempt(status === null ? "unreached" : status < 300 ? "taken" : "refused");
  if (deploymentStatus === "dead") meter.dead();
  if (status !== null && status < 300) return;
  const reason = outcome.kind === "answered" ? `answered ${outcome.status}` : `${outcome.kind} ${outcome.reason}`;
  log.info(
    {
      deliveryId: delivery.id,
      receiver: delivery.receiver,
      attempt: delivery.attempts + 1,
      reason,
      durationMs,
      status: deploymentStatus,
    },
    "a webhook delivery failed",
  );
}
