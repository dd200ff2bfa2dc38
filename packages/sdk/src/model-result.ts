// What a model answered, read from its response: the provider's own bytes, and the facts around them.
import { parseJson } from "./exact-json.ts";

/** A model's answer and its metadata. */
export interface ModelResult<Output> {
  /** The provider's JSON; integers above 2^53 are bigint. Null if the output is not JSON. */
  readonly data: Output;
  readonly contentType: string;
  /** The answer's exact bytes. */
  readonly bytes: Uint8Array;
  readonly requestId: string | null;
  /** True if this key was answered before. */
  readonly isReplay: boolean;
  /** Credits as a decimal text, as the server sends it. */
  readonly creditsUsed: string | null;
  /** The key of the call. Null if the answer was fetched by the id of a queued call, which does not name its key. */
  readonly idempotencyKey: string | null;
}

export async function resultOf<Output>(
  response: Response,
  idempotencyKey: string | null,
): Promise<ModelResult<Output>> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const contentType = response.headers.get("content-type") ?? "";
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType);
  return {
    data: (isJson ? parseJson(new TextDecoder().decode(bytes)) : null) as Output,
    contentType,
    bytes,
    requestId: response.headers.get("x-service-request-id"),
    isReplay: response.headers.get("idempotent-replayed") === "true",
    creditsUsed: response.headers.get("x-service-credits-used"),
    idempotencyKey,
  };
}
