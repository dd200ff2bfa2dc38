// How the follower ends calls of this area: those whose caller left, whose process died, or whose answer got lost.
import type { CallFollowing, Inquiry, StoredCall } from "../../capabilities/calls/index.ts";
import type { Prices } from "../../capabilities/prices/index.ts";
import { type Asked, askAbout, type Outcome, pollOnce, type RunDeps } from "../../capabilities/providers/index.ts";
import { trustedId } from "../../foundation/ids.ts";
import type { CatalogHolder, CatalogModel } from "./catalog.ts";
import { endingOf, unknownEnding } from "./ending-of.ts";

const prefix = "model:";

export interface FollowInvocationsDeps extends RunDeps {
  readonly catalog: CatalogHolder;
  readonly prices: Pick<Prices, "get">;
}

export function followInvocations(deps: FollowInvocationsDeps): CallFollowing {
  const modelOf = (call: StoredCall) => deps.catalog.current().byId.get(call.subject.slice(prefix.length)) ?? null;
  return {
    handles: (subject) => subject.startsWith(prefix),
    async inquire(call, signal): Promise<Inquiry> {
      const served = modelOf(call);
      // A model that is not served at the moment can be asked about later.
      if (served === null) return { finding: { kind: "unreachable" } };
      // Charged by the price that the call began with, whatever the model costs by now.
      const begunWith = call.priceRecordId === null ? null : await deps.prices.get(trustedId(call.priceRecordId));
      const model = begunWith === null ? served : { ...served, price: begunWith.price };
      const handle = handleUrl(call.handle);
      if (handle !== null) {
        const outcome = await pollOnce(deps, model, { url: handle }, signal);
        return outcome === null ? { finding: { kind: "running" } } : endedInquiry(call, model, outcome);
      }
      if (model.definition.recovery === "neither") return { finding: { kind: "cannot_ask" } };
      const asked: Asked = await askAbout(deps, model, call.id, signal);
      return asked.kind === "ended" ? endedInquiry(call, model, asked.outcome) : { finding: { kind: asked.kind } };
    },
    unknownAnswer: () => unknownEnding().answer,
  };
}

// The input is gone with the process that had it, but for the members that the price reads: they stand in the call.
function endedInquiry(call: StoredCall, model: CatalogModel, outcome: Outcome): Inquiry {
  if (outcome.kind === "no_answer" || outcome.kind === "not_sent") return { finding: { kind: "unreachable" } };
  const ending = endingOf(outcome, { model, input: call.pricedInput });
  const isRecorded = ending.next !== "release";
  return {
    finding: { kind: "ended" },
    ending: {
      state: "finished",
      outcome: ending.outcome,
      charge: ending.charge,
      answer: isRecorded ? ending.answer : null,
      usage: {
        requestId: null,
        apiKeyId: null,
        subject: call.subject,
        status: ending.answer.status,
        totalMs: call.ageSeconds * 1000,
        providerMs: null,
      },
    },
  };
}

function handleUrl(handle: unknown): string | null {
  const url: unknown = typeof handle === "object" && handle !== null ? Reflect.get(handle, "url") : null;
  return typeof url === "string" ? url : null;
}
