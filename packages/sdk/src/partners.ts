// The partner proxy: tasks that run at a partner. Starting one returns immediately; `wait` polls it until it has ended, and with
// a webhook_url the server calls back, so no caller has to wait.
import { blobOf } from "./blob-of.ts";
import type {
  ImageToVideoRequest,
  PartnerATaskResult,
  PartnerBPrompt,
  RelightRequest,
  SkinEnhancerCreativeRequest,
  SkinEnhancerFaithfulRequest,
  SkinEnhancerFlexibleRequest,
  StorageRequest,
  StorageTicket,
  TextToVideoRequest,
} from "./generated/wire.ts";
import { readJson } from "./pages.ts";
import { pause } from "./pause.ts";
import { type CallOptions, pickSignal, type Transport } from "./transport.ts";

/** How to start a task. */
export interface StartOptions extends CallOptions {
  readonly idempotencyKey?: string;
}

const endedTask: ReadonlySet<unknown> = new Set(["COMPLETED", "FAILED"]);
const endedPrompt: ReadonlySet<unknown> = new Set(["completed", "error"]);

async function readUntil<T>(read: () => Promise<T>, isOver: (value: T) => boolean, options: CallOptions): Promise<T> {
  const limit = AbortSignal.timeout(options.timeoutMs ?? 1_800_000);
  const signal = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal]);
  for (let waitMs = 500; ; waitMs = Math.min(5000, waitMs * 1.5)) {
    const value = await read();
    if (isOver(value)) return value;
    await pause(waitMs, signal);
  }
}

abstract class Partner {
  protected readonly transport: Transport;
  constructor(transport: Transport) {
    this.transport = transport;
  }

  protected start<T>(path: string, input: object, options: StartOptions): Promise<T> {
    const { idempotencyKey = crypto.randomUUID(), ...call } = options;
    const ask = { ...call, method: "POST", json: input, idempotencyKey, isRepeatable: true } as const;
    return readJson(this.transport, path, ask);
  }
}

/** Partner A: relight pictures and enhance skin. */
export class PartnerA extends Partner {
  /**
   * Relights an image.
   * @example
   * const { data } = await atelier.partners.a.relight({ image, prompt: "warm evening light" });
   * const done = await atelier.partners.a.waitForRelight(data.task_id);
   */
  relight(input: RelightRequest, options: StartOptions = {}): Promise<PartnerATaskResult> {
    return this.start("/proxy/partner-a/v1/ai/image-relight", input, options);
  }
  enhanceSkin(input: SkinEnhancerFlexibleRequest, options: StartOptions = {}): Promise<PartnerATaskResult> {
    return this.start("/proxy/partner-a/v1/ai/skin-enhancer/flexible", input, options);
  }
  enhanceSkinCreative(input: SkinEnhancerCreativeRequest, options: StartOptions = {}): Promise<PartnerATaskResult> {
    return this.start("/proxy/partner-a/v1/ai/skin-enhancer/creative", input, options);
  }
  enhanceSkinFaithful(input: SkinEnhancerFaithfulRequest, options: StartOptions = {}): Promise<PartnerATaskResult> {
    return this.start("/proxy/partner-a/v1/ai/skin-enhancer/faithful", input, options);
  }
  getRelight(taskId: string, options: CallOptions = {}): Promise<PartnerATaskResult> {
    return readJson(this.transport, `/proxy/partner-a/v1/ai/image-relight/${encodeURIComponent(taskId)}`, options);
  }
  getSkin(taskId: string, options: CallOptions = {}): Promise<PartnerATaskResult> {
    return readJson(this.transport, `/proxy/partner-a/v1/ai/skin-enhancer/${encodeURIComponent(taskId)}`, options);
  }
  waitForRelight(taskId: string, options: CallOptions = {}): Promise<PartnerATaskResult> {
    return readUntil(
      () => this.getRelight(taskId, pickSignal(options)),
      ({ data }) => endedTask.has(data.status),
      options,
    );
  }
  waitForSkin(taskId: string, options: CallOptions = {}): Promise<PartnerATaskResult> {
    return readUntil(
      () => this.getSkin(taskId, pickSignal(options)),
      ({ data }) => endedTask.has(data.status),
      options,
    );
  }
}

/** Partner B: videos from text and pictures. */
export class PartnerB extends Partner {
  /**
   * Makes a video from a text.
   * @example
   * const { id } = await atelier.partners.b.textToVideo({ prompt_text: "waves at night" });
   * const { output_url } = await atelier.partners.b.wait(id);
   */
  textToVideo(input: TextToVideoRequest, options: StartOptions = {}): Promise<PartnerBPrompt> {
    return this.start("/proxy/partner-b/prompts/text-to-video", input, options);
  }
  imageToVideo(input: ImageToVideoRequest, options: StartOptions = {}): Promise<PartnerBPrompt> {
    return this.start("/proxy/partner-b/prompts/image-to-video", input, options);
  }
  get(promptId: string, options: CallOptions = {}): Promise<PartnerBPrompt> {
    return readJson(this.transport, `/proxy/partner-b/prompts/${encodeURIComponent(promptId)}`, options);
  }
  wait(promptId: string, options: CallOptions = {}): Promise<PartnerBPrompt> {
    return readUntil(
      () => this.get(promptId, pickSignal(options)),
      ({ status }) => endedPrompt.has(status),
      options,
    );
  }
}

/** Tasks at partners, and uploads for large pictures. */
export class Partners extends Partner {
  readonly a: PartnerA;
  readonly b: PartnerB;
  constructor(transport: Transport) {
    super(transport);
    this.a = new PartnerA(transport);
    this.b = new PartnerB(transport);
  }

  /** A place to upload a large file, and the URL a partner can read it from. */
  storage(input: StorageRequest, options: CallOptions = {}): Promise<StorageTicket> {
    const ask = { ...options, method: "POST", json: input, isRepeatable: true } as const;
    return readJson(this.transport, "/customers/storage", ask);
  }

  /**
   * Uploads a picture for a partner and returns its URL.
   * @example
   * const image = await atelier.partners.upload(bytes, { fileName: "photo.png", contentType: "image/png" });
   */
  async upload(
    source: Blob | Uint8Array,
    options: CallOptions & { readonly fileName: string; readonly contentType: string },
  ): Promise<string> {
    const { fileName, contentType, ...call } = options;
    const ticket = await this.storage({ file_name: fileName, content_type: contentType }, call);
    const body = blobOf(source);
    const headers = { "content-type": contentType };
    await this.transport.send(ticket.upload_url, { ...call, method: "PUT", body, headers, isRepeatable: true });
    return ticket.download_url;
  }
}
