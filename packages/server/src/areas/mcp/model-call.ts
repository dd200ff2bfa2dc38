// The input of a tool that calls a model, directly or queued.
import { maxCredits } from "./estimate-tools.ts";
import { taking } from "./tool-answer.ts";

export interface ModelCall {
  readonly model: string;
  readonly input: object;
  readonly idempotency_key?: string;
  readonly max_credits?: string | number;
}

export const modelId = { type: "string", description: "provider/model, as list_models shows it." } as const;

export const modelCall = taking<ModelCall>(
  {
    model: modelId,
    input: { type: "object", description: "The model's own input; see describe_model." },
    idempotency_key: {
      type: "string",
      maxLength: 255,
      description: "Repeating a key returns the same call. Leave it out for a new call.",
    },
    max_credits: maxCredits,
  },
  ["model", "input"],
);

export function callOptions(
  { idempotency_key: idempotencyKey, max_credits: most }: Pick<ModelCall, "idempotency_key" | "max_credits">,
  signal: AbortSignal,
) {
  return {
    signal,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(most === undefined ? {} : { maxCredits: most }),
  };
}
