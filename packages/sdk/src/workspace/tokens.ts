// Tokens for browsers, phones and agents: they may do less than the credential they are made from, and end within a day.
import type { AccountToken, NewToken } from "../generated/wire.ts";
import { readJson, walk } from "../pages.ts";
import { type CallOptions, pickCallOptions, type Transport } from "../transport.ts";

/** What a new token may do. Anything that is not named is refused. */
export interface TokenOptions extends CallOptions {
  readonly capabilities: NewToken["capabilities"];
  /** Ids of models and works, `provider/*` or `*`. */
  readonly models?: readonly string[];
  /** What it and all tokens made from it may spend together, in credits. */
  readonly creditsMax?: string | number;
  /** How long it works; an hour by default, 24 hours at most. */
  readonly expiresInSeconds?: number;
  /** Your own id of the person who uses it. */
  readonly endUser?: string;
  /** Only pages of these origins may use it, and browsers let them. */
  readonly origins?: readonly string[];
  /** It works only from these addresses or ranges. */
  readonly addresses?: readonly string[];
  /** What it is for. */
  readonly label?: string;
}

/** A new token. `token` is the credential itself, shown only here: `new Atelier({ apiKey: made.token })`. */
export interface MadeToken extends AccountToken {
  readonly token: string;
}

const path = "/account/tokens";
const at = (id: string) => `${path}/${encodeURIComponent(id)}`;

/** Tokens that may do less than your credential: `atelier.tokens`. */
export class Tokens {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Makes one from the client's own key or token. It may never do more.
   * @example
   * const made = await atelier.tokens.create({
   *   capabilities: ["call_models"], models: ["sandbox/image-1"], creditsMax: 5, origins: ["https://shop.example"],
   * });
   */
  create(options: TokenOptions): Promise<MadeToken> {
    const { signal: _, timeoutMs: __, creditsMax, expiresInSeconds, endUser, ...fields } = options;
    const json = {
      ...fields,
      credits_max: creditsMax?.toString(),
      expires_in_seconds: expiresInSeconds,
      end_user: endUser,
    };
    return readJson(this.#transport, path, { ...pickCallOptions(options), method: "POST", json });
  }

  /** Those made from the client's credential, the newest first. */
  list(options: CallOptions & { readonly pageSize?: number } = {}): AsyncGenerator<AccountToken, void> {
    const { pageSize, ...call } = options;
    return walk(this.#transport, path, { ...call, query: { limit: pageSize } });
  }

  /** One of them, with what it has spent. */
  get(id: string, options: CallOptions = {}): Promise<AccountToken> {
    return readJson(this.#transport, at(id), options);
  }

  /** Ends it, and every token made from it, everywhere within a second. */
  revoke(id: string, options: CallOptions = {}): Promise<AccountToken> {
    return readJson(this.#transport, at(id), { ...options, method: "DELETE" });
  }
}
