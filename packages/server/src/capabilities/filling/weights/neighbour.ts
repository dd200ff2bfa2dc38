// Another worker of the pool that has a weight or is fetching it. Nothing it says is believed: its pieces are hashed as they
// arrive, and after the first wrong one we never ask it again.
import { timingSafeEqual } from "node:crypto";
import { Agent, request } from "undici";

export interface NeighbourAddress {
  readonly workerId: string;
  readonly name: string;
  readonly url: string;
  readonly key: string;
}

export interface Neighbour extends NeighbourAddress {
  // What it says it has of a weight, as bits, then what it gets from the server now. Null if it has nothing of it. Throws if
  // it does not answer.
  bits(blake3: string, signal: AbortSignal): Promise<Buffer | null>;
  // The bytes of some pieces in a row.
  pieces(blake3: string, from: number, count: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

export interface Neighbours {
  at(address: NeighbourAddress): Neighbour;
  close(): Promise<void>;
}

export function openNeighbours(own: { readonly workerId: string }): Neighbours {
  const agent = new Agent({
    connections: 8,
    connect: { timeout: 2_000 },
    headersTimeout: 5_000,
    bodyTimeout: 10_000,
    keepAliveTimeout: 10_000,
    maxResponseSize: 128 * 1024 * 1024,
  });
  return {
    at(address) {
      const headers = { authorization: `Bearer ${address.key}`, "x-worker-id": own.workerId };
      const get = async (path: string, signal: AbortSignal) => {
        const answer = await request(`${address.url}${path}`, { headers, signal, dispatcher: agent });
        if (answer.statusCode === 200) return answer.body;
        await answer.body.dump();
        if (answer.statusCode === 404) return null;
        throw new Error(`${address.name} answered ${answer.statusCode}.`);
      };
      return {
        ...address,
        async bits(blake3, signal) {
          const body = await get(`/weights/${blake3}`, signal);
          return body === null ? null : Buffer.from(await body.arrayBuffer());
        },
        async pieces(blake3, from, count, signal) {
          const body = await get(`/weights/${blake3}/pieces?from=${from}&count=${count}`, signal);
          if (body === null) throw new Error(`${address.name} does not have it any more.`);
          return body;
        },
      };
    },
    close: () => agent.destroy(),
  };
}

// A neighbour's address comes from another worker. It must not make us call this machine or the cloud's metadata, unless the
// server itself is on this machine.
export function isUsableAddress(text: string, serverIsHere: boolean): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.pathname !== "/") return false;
  if (url.search !== "" || url.hash !== "") return false;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isHere = host === "localhost" || host === "::1" || host.startsWith("127.");
  return isHere ? serverIsHere : !host.startsWith("169.254.") && !/^fe[89ab]/i.test(host);
}

export function isSameKey(given: string, own: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(own)];
  return one.length === other.length && timingSafeEqual(one, other);
}
