// Endpoints of the workspace: addresses that get its events by type.
import type {
  CreatedWebhookEndpoint,
  NewWebhookEndpoint,
  UpdateWebhookEndpoint,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookSecret,
} from "../generated/wire.ts";
import { readJson } from "../pages.ts";
import { type CallOptions, pickCallOptions, type Transport } from "../transport.ts";

const path = "/account/webhooks/endpoints";
const at = (id: string, under = "") => `${path}/${encodeURIComponent(id)}${under}`;

/** Addresses that get your workspace's events by type: `atelier.webhooks.endpoints`. Owners change them, members read them. */
export class WebhookEndpoints {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All of them, oldest first. */
  async list(options: CallOptions = {}): Promise<readonly WebhookEndpoint[]> {
    return (await readJson<{ readonly data: readonly WebhookEndpoint[] }>(this.#transport, path, options)).data;
  }

  /**
   * Adds one. Its `secret` is shown only here; give it to `unwrap` of `@atelier/sdk/webhooks`.
   * @example
   * const { secret } = await atelier.webhooks.endpoints.create({ url, types: ["job.succeeded", "job.failed"] });
   */
  create(endpoint: NewWebhookEndpoint, options: CallOptions = {}): Promise<CreatedWebhookEndpoint> {
    return readJson(this.#transport, path, { ...options, method: "POST", json: endpoint });
  }

  get(id: string, options: CallOptions = {}): Promise<WebhookEndpoint> {
    return readJson(this.#transport, at(id), options);
  }

  /** Changes what is given; an empty `filter` sends all events of the types. */
  update(id: string, change: UpdateWebhookEndpoint, options: CallOptions = {}): Promise<WebhookEndpoint> {
    return readJson(this.#transport, at(id), { ...options, method: "PATCH", json: change });
  }

  async delete(id: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.send(at(id), { ...options, method: "DELETE" });
  }

  /** Sends one test event, also to a paused endpoint. */
  test(id: string, options: CallOptions = {}): Promise<WebhookDelivery> {
    return readJson(this.#transport, at(id, "/test"), { ...options, method: "POST" });
  }

  /** A new secret, shown only here. The old one signs beside it for a day, or for as long as you say. */
  rotateSecret(id: string, options: CallOptions & { readonly overlapSeconds?: number } = {}): Promise<WebhookSecret> {
    const json = { overlap_seconds: options.overlapSeconds };
    return readJson(this.#transport, at(id, "/secrets"), { ...pickCallOptions(options), method: "POST", json });
  }

  /** Its events become dead deliveries until it is resumed; redeliver those you need. */
  pause(id: string, options: CallOptions = {}): Promise<WebhookEndpoint> {
    return readJson(this.#transport, at(id, "/pause"), { ...options, method: "POST" });
  }

  /** Also lets a receiver that was failing or disabled start afresh. */
  resume(id: string, options: CallOptions = {}): Promise<WebhookEndpoint> {
    return readJson(this.#transport, at(id, "/resume"), { ...options, method: "POST" });
  }
}
