// Routes: names in the catalog that stand for several models.
import type { ModelRoute, PutRoute } from "../generated/wire.ts";
import { readJson } from "../pages.ts";
import { type CallOptions, pickCallOptions, type Transport } from "../transport.ts";
import { matching } from "../works/etags.ts";

export interface PutRouteOptions extends CallOptions {
  /** Replaces only this version, such as `"3"` with its quotes. */
  readonly ifMatch?: string;
}

const path = "/account/routes";
const at = (name: string) => `${path}/${encodeURIComponent(name)}`;

/** Names that stand for several models, called as `route/{name}`: `atelier.routes`. */
export class Routes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Those that the workspace can call: its own, and the server's. */
  async list(options: CallOptions = {}): Promise<readonly ModelRoute[]> {
    return (await readJson<{ readonly data: readonly ModelRoute[] }>(this.#transport, path, options)).data;
  }

  /** One of them. */
  get(name: string, options: CallOptions = {}): Promise<ModelRoute> {
    return readJson(this.#transport, at(name), options);
  }

  /**
   * Writes one of the workspace's own.
   * @example
   * await atelier.routes.put("pictures", { targets: [{ model: "sandbox/image-1" }, { model: "sandbox/image-1-queued" }] });
   */
  put(name: string, route: PutRoute, options: PutRouteOptions = {}): Promise<ModelRoute> {
    const ask = { ...pickCallOptions(options), method: "PUT", headers: matching(options), json: route } as const;
    return readJson(this.#transport, at(name), ask);
  }

  /** Removes one of the workspace's own. Calls in flight finish. */
  async delete(name: string, options: PutRouteOptions = {}): Promise<void> {
    const ask = { ...pickCallOptions(options), method: "DELETE", headers: matching(options) } as const;
    await this.#transport.send(at(name), ask);
  }
}
