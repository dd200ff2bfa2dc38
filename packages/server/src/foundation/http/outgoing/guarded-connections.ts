// Connections to customers' addresses that can serve more than one request: for one scope (a workspace), one origin and one
// checked address, for ten seconds after the check (decisions, section 4). Then the name is resolved and checked again, so we
// follow a name that moves, and no request ever uses another workspace's connection.
import { Pool } from "undici";
import type { Clock } from "../../clock.ts";
import { pinnedConnector } from "./guarded-client-connect.ts";

export interface SharedConnection {
  readonly pool: Pool;
  // True if a request has used it before: the peer may have closed it without our noticing yet.
  readonly isUsed: boolean;
}

export interface GuardedConnections {
  // `check` resolves and checks the name; concurrent callers share one run. If it returns something other than an address, that
  // is passed through and not cached.
  take<Refusal extends object>(
    target: { readonly scope: string; readonly origin: string; readonly port: number },
    check: () => Promise<string | Refusal>,
  ): Promise<SharedConnection | Refusal>;
  close(): Promise<void>;
}

const keptMs = 10_000;

interface Kept {
  pool: Pool;
  isUsed: boolean;
}

export function guardedConnections(options: {
  readonly clock: Clock;
  readonly connectMs: number;
  readonly headersMs: number;
}): GuardedConnections {
  const { clock, connectMs, headersMs } = options;
  const open = new Map<string, Promise<Kept | { refusal: object }>>();
  const retiring = new Set<Promise<void>>();
  const closing = new AbortController();

  function connect(origin: string, port: number, address: string): Pool {
    return new Pool(origin, {
      connect: pinnedConnector(address, port, connectMs),
      pipelining: 1,
      allowH2: false,
      headersTimeout: headersMs,
      bodyTimeout: headersMs,
      keepAliveTimeout: keptMs,
      keepAliveMaxTimeout: keptMs,
    });
  }

  // Retires the pool after its time: running requests may finish, new ones get another pool.
  async function retire(key: string, entry: Promise<unknown>, pool: Pool): Promise<void> {
    await clock.sleep(keptMs, closing.signal);
    if (open.get(key) === entry) open.delete(key);
    await pool.close();
  }

  function begin(key: string, target: { origin: string; port: number }, check: () => Promise<string | object>) {
    const entry = check().then((found): Kept | { refusal: object } => {
      if (typeof found !== "string") return { refusal: found };
      const pool = connect(target.origin, target.port, found);
      const retired = retire(key, entry, pool).finally(() => retiring.delete(retired));
      retiring.add(retired);
      return { pool, isUsed: false };
    });
    open.set(key, entry);
    const forget = () => {
      if (open.get(key) === entry) open.delete(key);
    };
    entry.then((result) => "refusal" in result && forget(), forget);
    return entry;
  }

  return {
    async take<Refusal extends object>(
      target: { readonly scope: string; readonly origin: string; readonly port: number },
      check: () => Promise<string | Refusal>,
    ) {
      const key = `${target.scope} ${target.origin}`;
      let refused: Refusal | undefined;
      const entry =
        open.get(key) ??
        begin(key, target, async () => {
          const found = await check();
          if (typeof found !== "string") refused = found;
          return found;
        });
      const result = await entry;
      if ("refusal" in result) return refused ?? (await this.take(target, check));
      const shared = { pool: result.pool, isUsed: result.isUsed };
      result.isUsed = true;
      return shared;
    },
    async close() {
      closing.abort();
      await Promise.all(retiring);
    },
  };
}
