// Pages of origins that the operator did not list, but that some credential names. Their requests pass the guard and their
// answers can be read, only for the operations that such credentials reach: what a page gets still depends on the credential
// that it sends, and these operations accept no cookie.
import type { IncomingMessage } from "node:http";
import type { Admission } from "./admission/admission.ts";
import type { HeaderValues } from "./area.ts";
import { corsHeaders, resolveCors } from "./cors.ts";
import { blockOf } from "./outgoing/address-block.ts";
import type { PeerReader } from "./peer-address.ts";

export interface PageOrigins {
  readonly operations: ReadonlySet<string>;
  isKnown(origin: string): boolean | Promise<boolean>;
}

export interface KnownPagesOptions {
  readonly pages?: PageOrigins | null;
  readonly corsOrigins: ReadonlySet<string>;
  readonly readerOrigins?: () => ReadonlySet<string>;
  readonly admission: Pick<Admission, "addresses">;
  readonly readPeer: PeerReader;
}

const originCharactersMax = 255;

export class KnownPages {
  readonly #options: KnownPagesOptions;
  readonly #known = new WeakSet<IncomingMessage>();

  constructor(options: KnownPagesOptions) {
    this.#options = options;
  }

  // Usually calls back at once.
  look(request: IncomingMessage, operationAt: (method: string, path: string) => unknown, then: () => void): void {
    const known = this.#isKnown(request, operationAt);
    if (known instanceof Promise) {
      known.then((is) => this.#note(request, is)).then(then, then);
      return;
    }
    this.#note(request, known);
    then();
  }

  has(request: IncomingMessage): boolean {
    return this.#known.has(request);
  }

  // What the page may read of an answer. `method` is null if no route was found.
  corsOf(request: IncomingMessage, mode: "open" | "listed", method: string | null): HeaderValues | null {
    const { origin } = request.headers;
    if (origin !== undefined && this.#known.has(request)) return corsHeaders("listed", origin, new Set([origin]));
    if (method === null) return corsHeaders(mode, origin, this.#options.corsOrigins);
    return resolveCors(this.#options, mode, method, origin);
  }

  #isKnown(
    request: IncomingMessage,
    operationAt: (method: string, path: string) => unknown,
  ): boolean | Promise<boolean> {
    const { pages, corsOrigins } = this.#options;
    const { origin } = request.headers;
    if (!pages || origin === undefined || origin.length > originCharactersMax || corsOrigins.has(origin)) return false;
    // Our own pages.
    if (origin.endsWith(`//${request.headers.host}`)) return false;
    const asked = request.method === "OPTIONS" ? request.headers["access-control-request-method"] : request.method;
    const target = request.url ?? "/";
    const mark = target.indexOf("?");
    const operation = operationAt(asked ?? "", mark === -1 ? target : target.slice(0, mark));
    if (typeof operation !== "string" || !pages.operations.has(operation)) return false;
    return this.#mayAsk(request) && pages.isKnown(origin);
  }

  // A look-up is a query, so an address that asks too often gets none.
  #mayAsk(request: IncomingMessage): boolean {
    const { admission, readPeer } = this.#options;
    const forwarded = request.headers["x-forwarded-for"];
    const peer = readPeer(request.socket.remoteAddress ?? "", typeof forwarded === "string" ? forwarded : undefined);
    try {
      admission.addresses.admit(blockOf(peer));
      return true;
    } catch {
      return false;
    }
  }

  #note(request: IncomingMessage, isKnown: boolean): void {
    if (isKnown) this.#known.add(request);
  }
}
