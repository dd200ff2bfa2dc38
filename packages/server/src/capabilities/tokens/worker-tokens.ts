// Tokens of external workers, scoped to pools (decisions, section 6). A worker sends many requests a second, so a token
// is cached for two seconds; one that this process revokes stops working immediately.
import { Fault } from "../../foundation/fault.ts";
import type { Arrival } from "../../foundation/http/area.ts";
import type { Id } from "../../foundation/ids.ts";
import { readBearer } from "./token-secret.ts";
import type { Token } from "./token-store.ts";
import { createTokens, type TokenKind, type Tokens, type TokensDeps } from "./tokens.ts";

interface Carried {
  readonly poolIds: readonly Id<"pool">[];
}

export type WorkerTokenId = Id<"worker-token">;
export type WorkerToken = Token<"worker-token", Carried>;

export interface WorkerCaller {
  readonly kind: "worker";
  readonly tokenId: WorkerTokenId;
  readonly poolIds: readonly Id<"pool">[];
}

export interface WorkerTokens extends Omit<Tokens<"worker-token", Carried>, "authenticate"> {
  // Throws unauthorized, or rate_limited for an address that failed too often.
  authenticate(arrival: Pick<Arrival, "rawHeaders" | "peer">): Promise<WorkerCaller>;
}

const kind: TokenKind<"worker-token", Carried> = {
  name: "worker-token",
  article: "a",
  prefix: "worker-",
  table: "worker_tokens",
  columns: [["poolIds", "pool_ids"]],
  believedMs: 2_000,
};

export function createWorkerTokens(deps: TokensDeps): WorkerTokens {
  const tokens = createTokens(kind, deps);
  return {
    ...tokens,
    async authenticate({ rawHeaders, peer }) {
      const { id, poolIds } = await tokens.authenticate(readBearer(rawHeaders, kind.prefix), peer);
      return { kind: "worker", tokenId: id, poolIds };
    },
    async create(request, by) {
      const poolIds = [...new Set(request.poolIds)];
      if (poolIds.length === 0) throw new Fault("invalid_request", "pool_ids must name at least one pool.");
      return tokens.create({ ...request, poolIds }, by);
    },
  };
}
