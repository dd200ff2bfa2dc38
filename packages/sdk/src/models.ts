// The model router: native JSON in, native JSON out, one call per generation. Every call has an idempotency key, so whatever
// happens on the way it is paid for once and its answer can be collected.

import { limitHeader } from "./credit-limit.ts";
import { writeJson } from "./exact-json.ts";
import { AtelierError } from "./failures.ts";
import type { AccountModel, AccountModelList, CatalogEntry, ModelDetail, ModelEstimate } from "./generated/wire.ts";
import {
  ModelRequestHandle,
  type SubmitModelOptions,
  type SubscribeOptions,
  submitRequest,
  subscribeToRequest,
} from "./model-requests.ts";
import { type ModelResult, resultOf } from "./model-result.ts";
import { readJson, walk } from "./pages.ts";
import { pause } from "./pause.ts";
import { type CallOptions, pickCallOptions, type Transport } from "./transport.ts";
import { type LabelOptions, labelHeaders } from "./workspace/labels.ts";

/** Inputs and outputs by model id. Extend it so that `models.run` knows the types of your models. */
// biome-ignore lint/suspicious/noEmptyInterface: extended by declaration merging
export interface ModelMap {}

type Known = keyof ModelMap & string;
export type InputOf<Id extends string> = Id extends Known
  ? ModelMap[Id] extends { input: infer I }
    ? I
    : never
  : object;
type OutputOf<Id extends string> = Id extends Known ? (ModelMap[Id] extends { output: infer O } ? O : never) : unknown;

/** How to run a model. */
export interface RunOptions extends CallOptions, LabelOptions {
  /** Identifies one logical call; a fresh key is made if you leave it out. The same key never pays twice. */
  readonly idempotencyKey?: string;
  /** Milliseconds to keep asking for the result after the server's deadline; default 1,800,000. 0 fails with DeadlineExceeded. */
  readonly collectMs?: number;
  /** The most the call may cost. A call that could cost more fails with PriceAboveLimit before anything runs. */
  readonly maxCredits?: string | number;
}

// Spec, Limits: longer than the server's deadline of 10 minutes, so that a deadline arrives as a typed 504.
const runTimeoutMs = 660_000;

/** The model router: `atelier.models`. */
export class Models {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Every released model, page by page as you go.
   * @example
   * for await (const model of atelier.models.list()) console.log(model.id);
   */
  list(options: CallOptions & { readonly pageSize?: number } = {}): AsyncGenerator<CatalogEntry, void> {
    const { pageSize, ...call } = options;
    return walk(this.#transport, "/v1/models", { ...call, query: { limit: pageSize } });
  }

  /**
   * Every model this workspace can call, described for people: title, what it makes, price in credits.
   * @example
   * const pictures = (await atelier.models.described()).filter(({ kind }) => kind === "image");
   */
  async described(options: CallOptions = {}): Promise<readonly AccountModel[]> {
    const { data }: AccountModelList = await readJson(this.#transport, "/account/models", options);
    return data;
  }

  /**
   * One model, without walking the catalog.
   * @example
   * const model = await atelier.models.get("sandbox/image-1");
   */
  get(id: string, options: CallOptions = {}): Promise<ModelDetail> {
    return readJson(this.#transport, `/v1/models/${id}`, options);
  }

  /**
   * The OpenAPI document that the server checks this model's input against.
   * @example
   * const document = await atelier.models.schema("sandbox/image-1");
   */
  schema(id: string, options: CallOptions = {}): Promise<Readonly<Record<string, unknown>>> {
    return readJson(this.#transport, `/v1/models/${id}/openapi.json`, options);
  }

  /**
   * What a call would cost, and how long such calls took. Nothing runs, nothing is held or billed.
   * @example
   * const { credits, expected_seconds } = await atelier.models.estimate("sandbox/video-1", { prompt: "waves", seconds: 4 });
   */
  estimate<Id extends string>(id: Id, input: InputOf<Id>, options: CallOptions = {}): Promise<ModelEstimate> {
    const ask = { ...options, method: "POST", json: input, isRepeatable: true } as const;
    return readJson(this.#transport, `/v1/models/${id}/estimate`, ask);
  }

  /**
   * Runs a model and waits for its answer. If the server's deadline passes, the result is collected under the key.
   * @example
   * const { data, requestId } = await atelier.models.run("sandbox/text-1", { prompt: "a haiku", seed: 7n });
   */
  async run<Id extends string>(
    id: Id,
    input: InputOf<Id>,
    options: RunOptions = {},
  ): Promise<ModelResult<OutputOf<Id>>> {
    const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
    const body = writeJson(input);
    const collectUntil = Date.now() + runTimeoutMs + (options.collectMs ?? 1_800_000);
    for (;;) {
      try {
        const response = await this.#transport.send(`/v1/models/${id}`, {
          method: "POST",
          body,
          headers: { "content-type": "application/json", ...limitHeader(options.maxCredits), ...labelHeaders(options) },
          idempotencyKey,
          isRepeatable: true,
          usualTimeoutMs: runTimeoutMs,
          ...pickCallOptions(options),
        });
        return await resultOf<OutputOf<Id>>(response, idempotencyKey);
      } catch (thrown) {
        const isOver = options.collectMs === 0 || Date.now() >= collectUntil;
        if (isOver || !(thrown instanceof AtelierError) || thrown.code !== "deadline_exceeded") throw thrown;
        await pause((thrown.retryAfterSeconds ?? 5) * 1000, options.signal);
      }
    }
  }

  /**
   * Queues a call and returns immediately; its credits are held. Waits up to a minute for a full queue.
   * @example
   * const request = await atelier.models.submit("sandbox/video-1", { prompt: "waves", seconds: 4 });
   * await request.wait();
   * const { data } = await request.result();
   */
  submit<Id extends string>(
    id: Id,
    input: InputOf<Id>,
    options: SubmitModelOptions = {},
  ): Promise<ModelRequestHandle<OutputOf<Id>>> {
    return submitRequest(this.#transport, id, input, options);
  }

  /**
   * Queues a call, waits until it ends, and returns its answer. Holds no connection while it waits.
   * @example
   * const { data } = await atelier.models.subscribe("sandbox/video-1", { prompt: "waves", seconds: 4 }, {
   *   onUpdate: ({ status, queue_position }) => console.log(status, queue_position),
   * });
   */
  subscribe<Id extends string>(
    id: Id,
    input: InputOf<Id>,
    options: SubscribeOptions = {},
  ): Promise<ModelResult<OutputOf<Id>>> {
    return subscribeToRequest(this.#transport, id, input, options);
  }

  /**
   * A queued call by its id, after a crash or in another process.
   * @example
   * const request = await atelier.models.request("sandbox/video-1", id);
   */
  async request<Id extends string>(
    id: Id,
    requestId: string,
    options: CallOptions = {},
  ): Promise<ModelRequestHandle<OutputOf<Id>>> {
    const facts = { model: id, id: requestId, current: null, idempotencyKey: null };
    const request = new ModelRequestHandle<OutputOf<Id>>(this.#transport, facts);
    await request.status(options);
    return request;
  }
}
