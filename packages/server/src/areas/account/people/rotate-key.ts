// Replaces a key with a new one of the same name, reach, expiry, caps and limits. The old one stays valid for the overlap, so that
// programs can be moved one by one. A failure before the end leaves the old key unchanged, and revokes a new key that no one
// ever saw.
import type { CallLimits, KeyCaps } from "../../../capabilities/calls/index.ts";
import { type ApiKey, actingAs, type Identity, requireScope } from "../../../capabilities/identity/index.ts";
import type { Clock } from "../../../foundation/clock.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type RequestId, requireId } from "../../../foundation/ids.ts";
import { requireRevocable } from "../account-authority.ts";
import type { AccountCaller } from "../account-caller.ts";
import { createKey } from "./create-key.ts";

export async function rotateKey(
  deps: {
    readonly identity: Identity;
    readonly keyCaps: KeyCaps;
    readonly callLimits: Pick<CallLimits, "ofKey" | "setOfKey">;
    readonly clock: Clock;
  },
  caller: Pick<AccountCaller, "principal">,
  wanted: { readonly keyIdText: string | undefined; readonly overlapSeconds: number },
  requestId: RequestId,
): Promise<{ key: ApiKey; secret: string }> {
  const { identity, keyCaps } = deps;
  const { principal } = caller;
  requireScope(principal, "account");
  const { workspaceId } = principal;
  const keyId = requireId<"key">(wanted.keyIdText, "There is no such key.");
  const old = await identity.keys.get(workspaceId, keyId);
  await requireRevocable(identity, principal, old);
  const now = deps.clock.now();
  if (old.revokedAt !== null || (old.expiresAt !== null && old.expiresAt <= now))
    throw new Fault("conflict", "This key has expired or was revoked. Create a new one.");
  const { name, scopes, role, expiresAt } = old;
  const serviceAccountId = old.serviceAccount?.id ?? null;
  const made = await createKey(deps, caller, { name, scopes, role, expiresAt, serviceAccountId }, requestId);
  const by = actingAs(principal, requestId);
  try {
    const { day, month } = await keyCaps.look({ workspaceId, apiKeyId: keyId });
    if (day !== null || month !== null) await keyCaps.set({ workspaceId, apiKeyId: made.key.id }, { day, month }, by);
    const { inFlight: _, ...limit } = await deps.callLimits.ofKey({ workspaceId, apiKeyId: keyId });
    if (limit.perMinute !== null || limit.concurrency !== null)
      await deps.callLimits.setOfKey({ workspaceId, apiKeyId: made.key.id }, limit, by);
    const end = new Date(now.getTime() + wanted.overlapSeconds * 1_000);
    if (wanted.overlapSeconds === 0) await identity.keys.revoke(workspaceId, keyId, by);
    else await identity.keys.endAt(workspaceId, keyId, end, by);
  } catch (thrown) {
    await identity.keys.revoke(workspaceId, made.key.id, by).catch(() => undefined);
    throw thrown;
  }
  return made;
}
