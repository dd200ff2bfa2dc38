// The neighbours of one fetch: what each says it has and expects, whether it is there, and whether it still moves.
import type { Neighbour } from "./neighbour.ts";
import { hasBit } from "./pieces.ts";

export interface Peer {
  readonly neighbour: Neighbour;
  bits: Buffer;
  // What it gets from the server now.
  coming: Buffer;
  // When it last had something new.
  newsMs: number;
  goneUntilMs: number;
  running: number;
  // It has sent at least one right piece.
  isProven: boolean;
}

export interface PeersDeps {
  readonly blake3: string;
  // Who else has this weight or fetches it now.
  neighbours(): readonly Neighbour[];
  nowMs(): number;
}

// A neighbour that has nothing new for this long does not hold the others up.
const stallMs = 10_000;
const goneMs = 3_000;
const none = Buffer.alloc(0);

export class Peers {
  // Ids of workers that sent wrong bytes, of this weight or another.
  readonly liars: Set<string>;
  readonly #known = new Map<string, Peer>();
  readonly #deps: PeersDeps;

  constructor(deps: PeersDeps, liars: Set<string>) {
    this.#deps = deps;
    this.liars = liars;
  }

  here(): Peer[] {
    return [...this.#known.values()].filter((peer) => this.#isHere(peer));
  }

  // Whether others may wait for it to fetch its stretches.
  isMoving(peer: Peer): boolean {
    return this.#isHere(peer) && this.#deps.nowMs() - peer.newsMs < stallMs;
  }

  // It has the piece, or gets it from the server now.
  isWith(peer: Peer, piece: number): boolean {
    return hasBit(peer.bits, piece) || (this.isMoving(peer) && hasBit(peer.coming, piece));
  }

  leave(peer: Peer): void {
    peer.goneUntilMs = this.#deps.nowMs() + goneMs;
  }

  async look(signal: AbortSignal): Promise<void> {
    const listed = this.#deps.neighbours();
    for (const id of this.#known.keys()) if (!listed.some(({ workerId }) => workerId === id)) this.#known.delete(id);
    await Promise.all(listed.map((neighbour) => this.#lookAt(neighbour, signal)));
  }

  #isHere(peer: Peer): boolean {
    return !this.liars.has(peer.neighbour.workerId) && this.#deps.nowMs() >= peer.goneUntilMs;
  }

  async #lookAt(neighbour: Neighbour, signal: AbortSignal): Promise<void> {
    const { workerId } = neighbour;
    if (this.liars.has(workerId)) return;
    const known = this.#known.get(workerId);
    if (known !== undefined && !this.#isHere(known)) return;
    const newsMs = this.#deps.nowMs();
    const fresh = { neighbour, bits: none, coming: none, newsMs, goneUntilMs: 0, running: 0, isProven: false };
    const peer = known?.neighbour.url === neighbour.url ? known : fresh;
    this.#known.set(workerId, peer);
    try {
      const both = (await neighbour.bits(this.#deps.blake3, signal)) ?? none;
      const bits = both.subarray(0, both.length / 2);
      // What it only expects is no news: else it could hold the others up for ever.
      if (!bits.equals(peer.bits)) peer.newsMs = this.#deps.nowMs();
      peer.bits = bits;
      peer.coming = both.subarray(both.length / 2);
    } catch {
      this.leave(peer);
      [peer.bits, peer.coming] = [none, none];
    }
  }
}
