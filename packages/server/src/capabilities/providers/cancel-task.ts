// Asks a provider to stop a task. Nothing is decided by its answer: the process that polls the task finds out how it ended.
import type { Upstream } from "../../foundation/http/outgoing/fetch-upstream.ts";
import type { TaskHandle } from "./run-model.ts";
import type { ServedModel } from "./served-model.ts";

const answerMsMax = 10_000;

// Whether the provider took the request. False if it did not, or the model has no way to.
export async function cancelTask(
  { upstream }: { readonly upstream: Upstream },
  model: ServedModel,
  { cancelUrl }: TaskHandle,
): Promise<boolean> {
  const { cancel } = model.definition;
  if (cancel === undefined || cancelUrl === undefined) return false;
  const headers = { accept: "application/json", ...model.headers, ...model.credentialHeaders() };
  const signal = AbortSignal.timeout(answerMsMax);
  const sent = await upstream.fetch({ url: new URL(cancelUrl), method: cancel.method, headers, signal });
  return sent.kind === "answered" && sent.status >= 200 && sent.status < 300;
}
