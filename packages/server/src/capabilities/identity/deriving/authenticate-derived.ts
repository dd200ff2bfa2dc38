// Recognises derived tokens. One look-up a second and token finds its row, its ancestors and the session at its root; in between
// a request costs a hash and some set look-ups. A token that was revoked, or whose ancestor was, is refused everywhere within
// that second even if the bus loses the news.
import { timingSafeEqual } from "node:crypto";
import type { Clock } from "../../../foundation/clock.ts";
import type { Queryable } from "../../../foundation/database/database.ts";
import type { Fault } from "../../../foundation/fault.ts";
import type { Arrival } from "../../../foundation/http/area.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { TtlCache } from "../../../foundation/memory/ttl-cache.ts";
import type { KeyPrincipal, SessionId } from "../principal.ts";
import { liveAt } from "../signing-in/sign-in.ts";
import { findTokenByHash } from "./derived-token-store.ts";
import { scopesOf } from "./derived-tokens.ts";
import { compileRestrictions, refusalOfUse } from "./restrictions.ts";

export interface DerivedAuthenticationDeps {
  readonly db: Queryable;
  readonly clock: Clock;
  refuse(peer: string): Fault;
  requireOpen(peer: string, isKnownGood: boolean): void;
}

type TokenAsking = Pick<Arrival, "rawHeaders" | "peer" | "recognised" | "operationId">;

interface KnownToken {
  readonly principal: KeyPrincipal;
  readonly sessionId: SessionId | null;
  // In the past if it has ended.
  readonly usableUntilMs: number;
}

const rememberMs = 1_000;
const entriesMax = 10_000;

export function authenticateDerived({ db, clock, refuse, requireOpen }: DerivedAuthenticationDeps) {
  const tokens = new TtlCache<string, KnownToken | null>({ clock, keepMs: rememberMs, entriesMax });

  function admit(known: KnownToken | null, asking: TokenAsking): KeyPrincipal {
    if (known !== null) asking.recognised?.(known.principal);
    if (known === null || known.usableUntilMs <= clock.now().getTime()) throw refuse(asking.peer);
    const { token } = known.principal;
    const { operationId, peer } = asking;
    const refusal = token ? refusalOfUse(token, { operationId, peer, origin: originOf(asking.rawHeaders) }) : null;
    if (refusal !== null) throw refusal;
    return known.principal;
  }

  async function lookUp(hash: Buffer): Promise<KnownToken | null> {
    const found = await findTokenByHash(db, hash, liveAt(clock.now()));
    if (found === null || !timingSafeEqual(found.hash, hash)) return null;
    const { token, isLive, role } = found;
    const { id: keyId, workspaceId, endUser, ancestors, capabilities, sessionId } = token;
    const rights = { ...compileRestrictions(token), endUser, ancestors };
    const scopes = scopesOf(capabilities);
    return {
      principal: { kind: "key", keyId, personId: null, workspaceId, role, scopes, token: rights },
      sessionId,
      usableUntilMs: isLive ? token.expiresAt.getTime() : Number.NEGATIVE_INFINITY,
    };
  }

  return {
    byHash(hash: Buffer, asking: TokenAsking): KeyPrincipal | Promise<KeyPrincipal> {
      const name = hash.toString("base64");
      requireOpen(asking.peer, tokens.getStale(name) !== undefined);
      const known = tokens.getOrLoad(name, () => lookUp(hash));
      return known instanceof Promise ? known.then((late) => admit(late, asking)) : admit(known, asking);
    },
    // Of a key, token or session that ended: everything made from it has to be looked up again.
    dropBelow(id: string): void {
      tokens.deleteWhere((known) => {
        if (known === null) return false;
        const { keyId, token } = known.principal;
        return (
          keyId === id || known.sessionId === id || (token?.ancestors.some((ancestor) => ancestor === id) ?? false)
        );
      });
    },
    dropWorkspace(workspaceId: WorkspaceId): void {
      tokens.deleteWhere((known) => known?.principal.workspaceId === workspaceId);
    },
  };
}

function originOf(rawHeaders: readonly string[]): string | undefined {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 6 && name.toLowerCase() === "origin") return rawHeaders[at + 1];
  }
  return undefined;
}
