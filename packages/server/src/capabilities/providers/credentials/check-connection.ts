// Checks that a provider answers and accepts our credential, by the cheapest call its definition allows: reading a task
// that does not exist, else a GET on the submission path, which starts nothing. The provider's own words are not passed
// on.
import { randomUUID } from "node:crypto";
import type { Clock } from "../../../foundation/clock.ts";
import type { Upstream } from "../../../foundation/http/outgoing/fetch-upstream.ts";
import type { ServedModel } from "../served-model.ts";

export interface ConnectionCheck {
  readonly status: "ok" | "refused" | "failing" | "not_checked";
  readonly ms: number | null;
  readonly words: string;
}

const secondsMax = 10;

export async function checkConnection(
  { upstream, clock }: { readonly upstream: Upstream; readonly clock: Clock },
  models: readonly ServedModel[],
): Promise<ConnectionCheck> {
  const polled = models.find(({ definition }) => definition.poll?.path?.includes("{handle}"));
  const model = polled ?? models[0];
  if (model === undefined) return { status: "not_checked", ms: null, words: "It has no model to test with." };
  const path = polled?.definition.poll?.path?.replace("{handle}", randomUUID()) ?? model.definition.submit.path;
  const giveUp = new AbortController();
  const began = clock.monotonicMs();
  const late = clock.sleep(secondsMax * 1000, giveUp.signal).then(() => giveUp.abort());
  const outcome = await upstream.fetch({
    url: new URL(`${model.baseUrl}${path}`),
    method: "GET",
    headers: { ...model.headers, ...model.credentialHeaders(), accept: "application/json" },
    signal: giveUp.signal,
    answerBytesMax: 1024 * 1024,
  });
  giveUp.abort();
  await late.catch(() => undefined);
  const ms = Math.round(clock.monotonicMs() - began);
  if (outcome.kind === "answered" || outcome.kind === "too_large") return { ...verdictOf(outcome.status), ms };
  const reason = outcome.kind === "not_sent" || outcome.kind === "broken" ? outcome.reason : "no answer in 10 s";
  return { status: "failing", ms, words: `It could not be reached (${reason.replaceAll("_", " ")}).` };
}

function verdictOf(status: number): Pick<ConnectionCheck, "status" | "words"> {
  if (status === 401 || status === 403)
    return { status: "refused", words: `It responds but rejects the credential (${status}).` };
  if (status === 429 || status >= 500) return { status: "failing", words: `It responds with an error (${status}).` };
  return {
    status: "ok",
    words: `It responds and did not reject the credential (${status} to a free read).`,
  };
}
