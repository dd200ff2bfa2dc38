// Links with which people without an account run a work.
import type { CreatedWorkLink, WorkLink, WorkLinkList } from "../generated/wire.ts";
import { readJson } from "../pages.ts";
import { type CallOptions, pickCallOptions, type Transport } from "../transport.ts";

/** What a link allows, and until when. */
export interface NewLink {
  /** What all its runs may cost together, in credits. */
  readonly budget: string | number;
  readonly expiresAt: Date | string;
  /** Whom it is for. */
  readonly label?: string;
}

const at = (name: string, end = "") => `/account/works/${encodeURIComponent(name)}/links${end}`;

/** Links to works: `atelier.works.links`. */
export class WorkLinks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Makes a link. Its address is in this answer only.
   * @example
   * const { url } = await atelier.works.links.create("lighthouse", { budget: 50, expiresAt: "2027-01-31T00:00:00Z" });
   */
  create(name: string, link: NewLink, options: CallOptions = {}): Promise<CreatedWorkLink> {
    const { budget, expiresAt, label } = link;
    const json = { budget: String(budget), expires_at: new Date(expiresAt).toISOString(), label };
    return readJson(this.#transport, at(name), { ...pickCallOptions(options), method: "POST", json });
  }

  /** Every link of the work, the newest first, with what it has spent. */
  async list(name: string, options: CallOptions = {}): Promise<readonly WorkLink[]> {
    const { data }: WorkLinkList = await readJson(this.#transport, at(name), options);
    return data;
  }

  /** Ends a link. */
  async delete(name: string, id: string, options: CallOptions = {}): Promise<void> {
    const ask = { ...pickCallOptions(options), method: "DELETE" } as const;
    await this.#transport.send(at(name, `/${encodeURIComponent(id)}`), ask);
  }
}
