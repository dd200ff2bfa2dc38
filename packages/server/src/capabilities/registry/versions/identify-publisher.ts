// Decides who publishes: the publisher token in the body, or a member's credential. A token in the body wins, so that a
// tool with a leftover header publishes as the publisher it names. We settle who before what: a body that cannot be read
// holds no token.
import type { Clock } from "../../../foundation/clock.ts";
import type { Database } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { RequestId } from "../../../foundation/ids.ts";
import { actingAs, type Principal, unauthorized } from "../../identity/index.ts";
import type { Limits } from "../../limits/index.ts";
import { findTokenPublisher } from "../../tokens/index.ts";
import { memberIn } from "../fields/bad-fields.ts";
import { publisherBanned, requirePublisherMember } from "../publishers/publisher-authority.ts";
import { findPublisher, type StoredPublisher } from "../publishers/publisher-store.ts";
import { operator } from "../readers/reader.ts";

export interface Publication {
  readonly requestId: RequestId;
  json(): Promise<unknown>;
  // Called if the body holds no token. Throws if there is no credential either.
  member(): Promise<Principal>;
}

export interface IdentifyPublisherDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: Pick<Limits, "admit">;
}

export interface Publishing {
  readonly publisher: StoredPublisher;
  readonly actor: { readonly kind: "key" | "person"; readonly id: string | null };
}

export async function identifyPublisher(
  deps: IdentifyPublisherDeps,
  publisherId: string,
  sent: Publication,
): Promise<Publishing> {
  const token = await tokenIn(sent);
  if (token) return byToken(deps, publisherId, token);
  const principal = await sent.member();
  const publisher = await requirePublisherMember(deps.database, principal, publisherId);
  const { kind, id } = actingAs(principal, sent.requestId).actor;
  return { publisher, actor: { kind: kind === "person" ? "person" : "key", id } };
}

async function tokenIn(sent: Publication): Promise<string | null> {
  const body = await sent.json().catch((thrown: unknown) => {
    if (thrown instanceof Fault && thrown.status < 500) return null;
    throw thrown;
  });
  const token = memberIn(body, "personal_access_token");
  return typeof token === "string" ? token : null;
}

async function byToken(deps: IdentifyPublisherDeps, publisherId: string, secret: string): Promise<Publishing> {
  const token = await findTokenPublisher(deps.database, deps.clock, secret);
  if (token === null) throw new Fault("unauthorized", "This publisher token is unknown, revoked or expired.");
  if (token.publisherId !== publisherId) throw new Fault("forbidden", "This token belongs to another publisher.");
  const publisher = await findPublisher(deps.database, publisherId, operator);
  if (publisher === null) throw unauthorized();
  if (publisher.status === "PublisherStatusBanned") throw publisherBanned();
  await deps.limits.admit(publisher.workspaceId, "workflow_and_registry");
  return { publisher, actor: { kind: "key", id: token.id } };
}
