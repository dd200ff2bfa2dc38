// Endpoints of the workspace: addresses that get its events by type. Servers that receive webhooks manage them, browsers rarely do,
// so they are no part of the core.
import type { Atelier } from "../atelier.ts";
import { parseJson } from "../exact-json.ts";
import type {
  CreatedWebhookEndpoint,
  NewWebhookEndpoint,
  UpdateWebhookEndpoint,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookSecret,
} from "../generated/wire.ts";
import type { CallOptions } from "../transport.ts";

const path = "/account/webhooks/endpoints";
const at = (id: string, under = "") => `${path}/${encodeURIComponent(id)}${under}`;

type Ask = Parameters<Atelier["request"]>[1];

/** Addresses that get your workspace's events by type. Owners change them, members read them. */
export class WebhookEndpoints {
  readonly #atelier: Pick<Atelier, "request">;

  constructor(atelier: Pick<Atelier, "request">) {
    this.#atelier = atelier;
  }

  /** All of them, oldest first. */
  async list(options: CallOptions = {}): Promise<readonly WebhookEndpoint[]> {
    return (await this.#read<{ readonly data: readonly WebhookEndpoint[] }>(path, options)).data;
  }

  /**
   * Adds one. Its `secret` is shown only here; give it to `unwrap`.
   * @example
   * const { secret } = await new WebhookEndpoints(atelier).create({ url, types: ["job.succeeded", "job.failed"] });
   */
  create(endpoint: NewWebhookEndpoint, options: CallOptions = {}): Promise<CreatedWebhookEndpoint> {
    return this.#read(path, { ...options, method: "POST", json: endpoint });
  }

  get(id: string, options: CallOptions = {}): Promise<WebhookEndpoint> {
    return this.#read(at(id), options);
  }

  /** Changes what is given; an empty `filter` sends all events of the types. */
  update(id: string, change: UpdateWebhookEndpoint, options: CallOptions = {}): Promise<WebhookEndpoint> {
    return this.#read(at(id), { ...options, method: "PATCH", json: change });
  }

  async delete(id: string, options: CallOptions = {}): Promise<void> {
    await this.#atelier.request(at(id), { ...options, method: "DELETE" });
  }

  /** Sends one test event, also to a paused endpoint. */
  test(id: string, options: CallOptions = {}): Promise<WebhookDelivery> {
    return this.#read(at(id, "/test"), { ...options, method: "POST" });
  }

  /** A new secret, shown only here. The old one signs beside it for a day, or for as long as you say. */
  rotateSecret(id: string, options: CallOptions & { readonly overlapSeconds?: number } = {}): Promise<WebhookSecret> {
    const { overlapSeconds, ...call } = options;
    return this.#read(at(id, "/secrets"), { ...call, method: "POST", json: { overlap_seconds: overlapSeconds } });
  }

  /** Its events become dead deliveries until it is resumed; redeliver those you need. */
  pause(id: string, options: CallOptions = {}): Promise<WebhookEndpoint> {
    return this.#read(at(id, "/pause"), { ...options, method: "POST" });
  }

  /** Also lets a receiver that was failing or disabled start afresh. */
  resume(id: string, options: CallOptions = {}): Promise<WebhookEndpoint> {
    return this.#read(at(id, "/resume"), { ...options, method: "POST" });
  }

  async #read<T>(at: string, ask: Ask): Promise<T> {
    return parseJson(await (await this.#atelier.request(at, ask)).text()) as T;
  }
}
