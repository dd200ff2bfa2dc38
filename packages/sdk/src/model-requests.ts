// Queued model calls: submitted now, collected later. Every submission has an idempotency key, so a lost answer does not pay
// twice. The server sets the polling pace, and waiting survives a server restart.

import { limitHeader } from "./credit-limit.ts";
import { parseJson, writeJson } from "./exact-json.ts";
import { AtelierError, RequestNotCompleted, RequestNotFound } from "./failures.ts";
import type { AcceptedModelRequest, ModelRequest, ModelRequestStatus } from "./generated/wire.ts";
import { type ModelResult, resultOf } from "./model-result.ts";
import { walk } from "./pages.ts";
import { backOffMs, pause } from "./pause.ts";
import { type CallOptions, pickCallOptions, pickSignal, type Transport } from "./transport.ts";
import { type LabelOptions, labelHeaders } from "./workspace/labels.ts";

/** How to queue a model call. */
export interface SubmitModelOptions extends CallOptions, LabelOptions {
  /** Identifies one logical call; a fresh key is made if you leave it out. The same key never pays twice. */
  readonly idempotencyKey?: string;
  /** Told once, when the request has completed. */
  readonly webhookUrl?: string;
  /** The most that the call may cost; what could cost more fails with PriceAboveLimit, and nothing is queued. */
  readonly maxCredits?: string | number;
  /** Milliseconds to wait for room in a full queue; 60,000. */
  readonly queueWaitMs?: number;
}

/** How to wait for a queued model call. */
export interface WaitForModelOptions extends CallOptions {
  /** Told whenever its state or its position in the queue has changed. */
  readonly onUpdate?: (request: ModelRequest) => void;
}

/** How to queue a model call and wait for its answer. */
export interface SubscribeOptions extends SubmitModelOptions, WaitForModelOptions {
  /** Cancel the request when the signal aborts or the time is over; otherwise it goes on, and its id collects it. */
  readonly cancelOnAbort?: boolean;
  /** Told when it is in the queue: its id finds it again after a crash. */
  readonly onSubmit?: (request: ModelRequestHandle<unknown>) => void;
}

// We wait for a server that restarts, because the request is recorded.
const patienceMs = 60_000;

/** A queued model call. It can be found again by its id after a crash: `atelier.models.request(model, id)`. */
export class ModelRequestHandle<Output> {
  readonly model: string;
  readonly id: string;
  /** The key it was submitted under; null when it was found by its id. */
  readonly idempotencyKey: string | null;
  /** What was last known; null when nothing was asked yet. */
  current: AcceptedModelRequest | ModelRequest | null;
  readonly #transport: Transport;

  constructor(
    transport: Transport,
    facts: {
      readonly model: string;
      readonly id: string;
      readonly current: AcceptedModelRequest | ModelRequest | null;
      readonly idempotencyKey: string | null;
    },
  ) {
    this.#transport = transport;
    this.model = facts.model;
    this.id = facts.id;
    this.current = facts.current;
    this.idempotencyKey = facts.idempotencyKey;
  }

  get #path(): string {
    return `/v1/models/${this.model}/requests/${encodeURIComponent(this.id)}`;
  }

  /** Asks the server how it stands. */
  async status(options: CallOptions = {}): Promise<ModelRequest> {
    return (await this.#ask(options)).request;
  }

  async #ask(options: CallOptions): Promise<{ readonly request: ModelRequest; readonly retryAfterMs: number }> {
    const response = await this.#transport.send(`${this.#path}/status`, pickCallOptions(options));
    const request = parseJson(await response.text()) as ModelRequest;
    this.current = request;
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    return { request, retryAfterMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 1000 };
  }

  /**
   * Waits until it has completed, and says how it ended; whether it failed is `error_type`.
   * @example
   * await request.wait({ onUpdate: ({ status, queue_position }) => console.log(status, queue_position) });
   */
  async wait(options: WaitForModelOptions = {}): Promise<ModelRequest> {
    const { timeoutMs, onUpdate } = options;
    const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const signals = [limit, options.signal].filter((signal) => signal !== undefined);
    const signal = signals.length === 0 ? undefined : AbortSignal.any(signals);
    let lastReported = "";
    let lost: { readonly sinceMs: number; readonly times: number } | null = null;
    for (;;) {
      try {
        const { request, retryAfterMs } = await this.#ask(pickSignal({ signal }));
        lost = null;
        const text = `${request.status} ${request.queue_position ?? ""}`;
        if (text !== lastReported) onUpdate?.(request);
        lastReported = text;
        // An unknown status does not end the wait.
        if (request.status === "COMPLETED") return request;
        await pause(retryAfterMs, signal);
      } catch (thrown) {
        signal?.throwIfAborted();
        const sinceMs: number = lost?.sinceMs ?? Date.now();
        const times: number = (lost?.times ?? 0) + 1;
        lost = { sinceMs, times };
        if (!isAway(thrown) || Date.now() - sinceMs > patienceMs) throw thrown;
        await pause(thrown.retryAfterSeconds === null ? backOffMs(times) : thrown.retryAfterSeconds * 1000, signal);
      }
    }
  }

  /**
   * What the model answered: the very bytes of the synchronous call, for 24 hours. Throws the typed failure of a request that
   * failed, and RequestNotCompleted while it has not completed.
   * @example
   * const { data } = await request.result();
   */
  async result(options: CallOptions = {}): Promise<ModelResult<Output>> {
    const response = await this.#transport.send(this.#path, pickCallOptions(options));
    if (response.status !== 202) return resultOf<Output>(response, this.idempotencyKey);
    const bodyText = await response.text();
    this.current = parseJson(bodyText) as ModelRequest;
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    throw new RequestNotCompleted({
      status: 202,
      code: "request_not_completed",
      message: `The request has not completed; its status is ${this.current.status}.`,
      requestId: response.headers.get("x-service-request-id"),
      retryAfterSeconds: Number.isInteger(seconds) ? seconds : null,
      details: this.current,
      bodyText,
      idempotencyKey: this.idempotencyKey,
    });
  }

  /** Cancels it. Throws AlreadyCompleted when it has ended, CancelRefused when the provider cannot be asked to stop. */
  async cancel(options: CallOptions = {}): Promise<ModelRequest> {
    const ask = { ...pickCallOptions(options), method: "PUT", isRepeatable: true } as const;
    const response = await this.#transport.send(`${this.#path}/cancel`, ask);
    const request = parseJson(await response.text()) as ModelRequest;
    this.current = request;
    return request;
  }
}

const isAway = (thrown: unknown): thrown is AtelierError =>
  thrown instanceof AtelierError && (thrown.isRetryable || [502, 503, 504].includes(thrown.status));

export async function submitRequest<Output>(
  transport: Transport,
  model: string,
  input: unknown,
  options: SubmitModelOptions,
): Promise<ModelRequestHandle<Output>> {
  const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
  const ask = {
    ...pickCallOptions(options),
    method: "POST",
    body: writeJson(input),
    headers: {
      "content-type": "application/json",
      ...(options.webhookUrl === undefined ? {} : { "x-service-webhook-url": options.webhookUrl }),
      ...limitHeader(options.maxCredits),
      ...labelHeaders(options),
    },
    idempotencyKey,
    isRepeatable: true,
  } as const;
  const giveUpAt = Date.now() + (options.queueWaitMs ?? 60_000);
  for (;;) {
    try {
      const response = await transport.send(`/v1/models/${model}/requests`, ask);
      const current = parseJson(await response.text()) as AcceptedModelRequest;
      return new ModelRequestHandle(transport, { model, id: current.request_id, current, idempotencyKey });
    } catch (thrown) {
      const wait = thrown instanceof AtelierError && thrown.status === 429 ? thrown.retryAfterSeconds : null;
      if (wait === null || Date.now() + wait * 1000 > giveUpAt) throw thrown;
      await pause(wait * 1000, options.signal);
    }
  }
}

export async function subscribeToRequest<Output>(
  transport: Transport,
  model: string,
  input: unknown,
  options: SubscribeOptions,
): Promise<ModelResult<Output>> {
  const { timeoutMs: _ofTheWait, onUpdate, onSubmit, cancelOnAbort, ...submit } = options;
  const request = await submitRequest<Output>(transport, model, input, submit);
  onSubmit?.(request);
  try {
    await request.wait({ ...pickCallOptions(options), ...(onUpdate === undefined ? {} : { onUpdate }) });
  } catch (thrown) {
    // Without the signal, which has already fired. A call that cannot be canceled keeps running.
    if (cancelOnAbort && !(thrown instanceof AtelierError)) await request.cancel().catch(() => undefined);
    throw thrown;
  }
  return request.result(pickSignal(options));
}

/** Which queued model calls to list. */
export interface ListRequestsOptions extends CallOptions {
  readonly status?: ModelRequestStatus;
  readonly model?: string;
  readonly pageSize?: number;
}

/** Queued model calls of all models: `atelier.requests`. */
export class Requests {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Those that wait or run, and those that completed within 24 hours, newest first.
   * @example
   * for await (const request of atelier.requests.list({ status: "IN_QUEUE" })) console.log(request.request_id);
   */
  list(options: ListRequestsOptions = {}): AsyncGenerator<ModelRequest, void> {
    const { status, model, pageSize } = options;
    return walk(this.#transport, "/v1/requests", {
      ...pickCallOptions(options),
      query: { status, model, limit: pageSize },
    });
  }

  /**
   * One of them by its id alone: found by walking the list, where the model is not known.
   * @example
   * const request = await atelier.requests.find(id);
   * const { data } = await request.result();
   */
  async find(id: string, options: CallOptions = {}): Promise<ModelRequestHandle<unknown>> {
    for await (const current of this.list({ ...options, pageSize: 100 }))
      if (current.request_id === id)
        return new ModelRequestHandle(this.#transport, { model: current.model, id, current, idempotencyKey: null });
    throw new RequestNotFound({
      status: 404,
      code: "request_not_found",
      message: "There is no such request, or it is older than 24 hours.",
      requestId: null,
      retryAfterSeconds: null,
      details: undefined,
      bodyText: "",
      idempotencyKey: null,
    });
  }
}
