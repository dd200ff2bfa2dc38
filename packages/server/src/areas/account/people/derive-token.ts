// Makes, lists and revokes derived tokens for the caller. A token and its cap are two writes; the token is shown only after both.
import type { AccountToken, NewToken } from "@atelier/contract";
import type { KeyCaps } from "../../../capabilities/calls/index.ts";
import {
  actingAs,
  type DerivedToken,
  type Identity,
  type Principal,
  requireRole,
  type TokenView,
} from "../../../capabilities/identity/index.ts";
import { creditsText } from "../../../capabilities/prices/index.ts";
import { type KeyId, type RequestId, requireId } from "../../../foundation/ids.ts";
import { personBehind } from "../account-authority.ts";
import { readAmount } from "../figures/read-amount.ts";

export interface DeriveTokenDeps {
  readonly identity: Identity;
  readonly keyCaps: Pick<KeyCaps, "derive" | "totals">;
}

export async function deriveToken(
  { identity, keyCaps }: DeriveTokenDeps,
  principal: Principal,
  body: NewToken,
  requestId: RequestId,
): Promise<{ token: DerivedToken; secret: string }> {
  // A token calls models and stores files, which takes a member.
  requireRole(principal.role, "member");
  const by = actingAs(principal, requestId);
  const { workspaceId } = principal;
  const wanted = {
    capabilities: body.capabilities,
    models: body.models,
    origins: body.origins,
    addresses: body.addresses,
    endUser: body.end_user,
    creditsMax: body.credits_max === undefined ? undefined : readAmount("credits_max", body.credits_max),
    seconds: body.expires_in_seconds,
  };
  const createdBy = await makerOf(identity, principal);
  const made = await identity.tokens.create({ parent: principal, wanted, label: body.label ?? null, createdBy }, by);
  const { id, ancestors, creditsMax } = made.token;
  try {
    await keyCaps.derive({ workspaceId, apiKeyId: id, ancestors, total: creditsMax });
  } catch (thrown) {
    // Without its cap it must not work. Its secret has not been shown.
    await identity.tokens.revoke({ workspaceId, tokenId: id, view: { kind: "all" } }, by);
    throw thrown;
  }
  return made;
}

// The person at the root of the chain: a token ends when they leave the workspace.
async function makerOf(identity: Identity, principal: Principal) {
  if (principal.kind === "identity" || principal.token === undefined) return personBehind(identity, principal);
  const { workspaceId, keyId } = principal;
  return (await identity.tokens.get({ workspaceId, tokenId: keyId, view: viewOf(principal) })).createdBy;
}

export async function listSeenTokens(
  { identity, keyCaps }: DeriveTokenDeps,
  principal: Principal,
  page: { readonly before: KeyId | null; readonly count: number },
): Promise<AccountToken[]> {
  const { workspaceId } = principal;
  const found = await identity.tokens.list({ workspaceId, view: viewOf(principal), ...page });
  const totals = await keyCaps.totals(
    workspaceId,
    found.map(({ id }) => id),
  );
  return found.map((token) => presentToken(token, totals.get(token.id)?.spent ?? 0n));
}

export async function showSeenToken(
  { identity, keyCaps }: DeriveTokenDeps,
  principal: Principal,
  idText: string | undefined,
): Promise<AccountToken> {
  return withSpending(keyCaps, await identity.tokens.get(seenToken(principal, idText)));
}

export async function revokeSeenToken(
  { identity, keyCaps }: DeriveTokenDeps,
  principal: Principal,
  idText: string | undefined,
  requestId: RequestId,
): Promise<AccountToken> {
  const revoked = await identity.tokens.revoke(seenToken(principal, idText), actingAs(principal, requestId));
  return withSpending(keyCaps, revoked);
}

const seenToken = (principal: Principal, idText: string | undefined) => ({
  workspaceId: principal.workspaceId,
  tokenId: requireId<"key">(idText, "There is no such token."),
  view: viewOf(principal),
});

async function withSpending(caps: Pick<KeyCaps, "totals">, token: DerivedToken): Promise<AccountToken> {
  const totals = await caps.totals(token.workspaceId, [token.id]);
  return presentToken(token, totals.get(token.id)?.spent ?? 0n);
}

// Owners who may manage the account see every token, people those they made, keys and tokens those made from them.
function viewOf(principal: Principal): TokenView {
  if (principal.role === "owner" && principal.scopes.includes("account")) return { kind: "all" };
  if (principal.kind === "identity") return { kind: "of_person", personId: principal.personId };
  return { kind: "below", ancestorId: principal.keyId };
}

export function presentToken(token: DerivedToken, spent: bigint): AccountToken {
  return {
    id: token.id,
    hint: token.prefix,
    label: token.label,
    parent_id: token.ancestors.at(-1) ?? null,
    depth: token.depth,
    capabilities: [...token.capabilities],
    models: [...token.models],
    origins: token.origins === null ? null : [...token.origins],
    addresses: token.addresses === null ? null : [...token.addresses],
    end_user: token.endUser,
    credits_max: token.creditsMax === null ? null : creditsText(token.creditsMax),
    credits_spent: creditsText(spent),
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    revoked_at: token.revokedAt?.toISOString() ?? null,
  };
}
