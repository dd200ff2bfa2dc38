// Creating and revoking publishing tokens. A token's text appears only in the answer that created it.
import { type CreatedPublisherToken, CreatePublisherToken, limits, type PublisherToken } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import { listPublisherTokens, makePublisherToken, revokePublisherToken } from "../../tokens/index.ts";
import { badFields } from "../fields/bad-fields.ts";
import { readBody } from "../fields/read-body.ts";
import { type Asked, note, type Sent } from "../readers/actor.ts";
import { type PublisherDeps, requireLocked } from "./change-publisher.ts";
import { presentToken } from "./present-publisher.ts";
import { requirePublisherOwner } from "./publisher-authority.ts";

export async function tokensOf(
  { database }: PublisherDeps,
  publisherId: string,
  { caller }: Pick<Asked, "caller">,
): Promise<PublisherToken[]> {
  const { id } = await requirePublisherOwner(database, caller, publisherId);
  return (await listPublisherTokens(database, id)).map(presentToken);
}

export async function createPublisherToken(
  deps: PublisherDeps,
  publisherId: string,
  sent: Sent,
): Promise<CreatedPublisherToken> {
  const { workspaceId } = await requirePublisherOwner(deps.database, sent.caller, publisherId);
  const body = await readBody(CreatePublisherToken, sent);
  const expiresAt = body.expires_at === undefined ? null : new Date(body.expires_at);
  if (expiresAt !== null && !(expiresAt > deps.clock.now())) {
    throw badFields([{ path: "/expires_at", message: "must be in the future" }]);
  }
  return deps.database.transaction(async (tx) => {
    await requirePublisherOwner(tx, sent.caller, publisherId);
    await requireLocked(tx, publisherId);
    if ((await listPublisherTokens(tx, publisherId)).length >= limits.publisherTokensMax) {
      throw new Fault(
        "conflict",
        `A publisher can have at most ${limits.publisherTokensMax} tokens. Revoke one first.`,
      );
    }
    const { name, description = null } = body;
    const { id, secret } = await makePublisherToken(tx, { publisherId, name, description, expiresAt });
    const about = { kind: "publisher", id: publisherId, workspaceId };
    const after = { id, name, expires_at: expiresAt };
    await note(deps, tx, sent, { action: "publisher_token.create", ...about, after });
    return { id, token: secret };
  });
}

export async function endPublisherToken(
  deps: PublisherDeps,
  publisherId: string,
  tokenId: string,
  asked: Asked,
): Promise<void> {
  const { workspaceId } = await requirePublisherOwner(deps.database, asked.caller, publisherId);
  await deps.database.transaction(async (tx) => {
    const isRevoked = await revokePublisherToken(tx, publisherId, tokenId);
    if (!isRevoked) throw new Fault("not_found", "This publisher has no such token.");
    const about = { kind: "publisher", id: publisherId, workspaceId };
    await note(deps, tx, asked, { action: "publisher_token.revoke", ...about, before: { id: tokenId } });
  });
}
