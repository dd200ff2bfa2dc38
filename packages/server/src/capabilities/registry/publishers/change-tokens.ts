// Making and revoking publishing tokens. The text of one exists in the answer that made it and nowhere else.
import { type CreatedPublisherToken, type CreatePublisherToken, limits } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import { newId, parseId } from "../../../foundation/ids.ts";
import { actingAs } from "../../identity/index.ts";
import { badFields } from "../fields/bad-fields.ts";
import { type Asked, type PublisherDeps, requireLocked } from "./change-publisher.ts";
import { requirePublisherOwner } from "./publisher-authority.ts";
import { hashPublisherSecret, newPublisherSecret, shownCharacters } from "./publisher-token.ts";
import { countPublisherTokens, insertPublisherToken, revokePublisherToken } from "./publisher-token-store.ts";

export async function createPublisherToken(
  deps: PublisherDeps,
  publisherId: string,
  body: CreatePublisherToken,
  { caller, requestId }: Asked,
): Promise<CreatedPublisherToken> {
  const { workspaceId } = await requirePublisherOwner(deps.database, caller, publisherId);
  const now = deps.clock.now();
  const expiresAt = body.expires_at === undefined ? null : new Date(body.expires_at);
  if (expiresAt !== null && !(expiresAt > now)) {
    throw badFields([{ path: "/expires_at", message: "must be a moment in the future" }]);
  }
  const secret = newPublisherSecret();
  const id = newId<"publisher-token">();
  await deps.database.transaction(async (tx) => {
    await requireLocked(tx, publisherId);
    if ((await countPublisherTokens(tx, publisherId)) >= limits.publisherTokensMax) {
      throw new Fault("conflict", `A publisher has at most ${limits.publisherTokensMax} tokens: revoke one first.`);
    }
    await insertPublisherToken(tx, {
      id,
      publisherId,
      name: body.name,
      description: body.description ?? null,
      beginning: secret.slice(0, shownCharacters),
      hash: hashPublisherSecret(secret),
      createdAt: now,
      lastUsedAt: null,
      expiresAt,
    });
    await deps.audit.append(tx, {
      ...actingAs(caller, requestId),
      action: "publisher_token.create",
      subject: { kind: "publisher", id: publisherId },
      workspaceId,
      after: { id, name: body.name, expires_at: expiresAt },
    });
  });
  return { id, token: secret };
}

export async function endPublisherToken(
  deps: PublisherDeps,
  publisherId: string,
  tokenId: string,
  { caller, requestId }: Asked,
): Promise<void> {
  const { workspaceId } = await requirePublisherOwner(deps.database, caller, publisherId);
  const id = parseId<"publisher-token">(tokenId);
  await deps.database.transaction(async (tx) => {
    const isRevoked = id !== null && (await revokePublisherToken(tx, { publisherId, id, now: deps.clock.now() }));
    if (!isRevoked) throw new Fault("not_found", "This publisher has no such token.");
    await deps.audit.append(tx, {
      ...actingAs(caller, requestId),
      action: "publisher_token.revoke",
      subject: { kind: "publisher", id: publisherId },
      workspaceId,
      before: { id },
    });
  });
}
