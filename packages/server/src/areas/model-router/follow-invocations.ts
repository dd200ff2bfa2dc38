// How the follower ends calls of this area: those whose caller left, whose process died, or whose answer got lost.
import type { CallFollowing, Inquiry, StoredCall } from "../../capabilities/calls/index.ts";
import { type Asked, askAbout, type Outcome, pollOnce, type RunDeps } from "../../capabilities/providers/index.ts";
import type { CatalogHolder, CatalogModel } from "./catalog.ts";
import { endingOf, unknownEnding } from "./ending-of.ts";

const prefix = "model:";

export function followInvocations(deps: RunDeps & { readonly catalog: CatalogHolder }): CallFollowing {
  const modelOf = (call: StoredCall) => deps.catalog.current().byId.get(call.subject.slice(prefix.length)) ?? null;
  return {
    handles: (subject) => subject.startsWith(prefix),
    async inquire(call, signal): Promise<Inquiry> {
      const model = modelOf(call);
      // A model that is not served at the moment can be asked about later.
      if (model === null) return { finding: { kind: "unreachable" } };
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
