// Bytes behind signed addresses: translate, nothing else. What is in memory is answered in the same turn.
import { operations } from "@atelier/contract";
import { type Assets, type ContentAnswer, isOutsideRange, type ResolvedUrl } from "../../capabilities/assets/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Arrival, type BytesAnswer, type Route, route } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";

export function getSignedContentRoute(assets: Pick<Assets, "resolveSigned" | "content">): Route<unknown> {
  const serve = (resolved: ResolvedUrl, incoming: Arrival): BytesAnswer | Promise<BytesAnswer> => {
    const { asset, remainingSeconds, asAttachment } = resolved;
    // No cache may hold the bytes longer than the address works.
    const cacheControl = `private, max-age=${Math.floor(remainingSeconds)}`;
    const answer = assets.content(asset, incoming, { cacheControl, asAttachment });
    return answer instanceof Promise
      ? answer.then((ready) => withinRange(ready, incoming))
      : withinRange(answer, incoming);
  };
  return route(operations.getSignedContent, (incoming) => {
    const resolved = assets.resolveSigned(incoming);
    return resolved instanceof Promise ? resolved.then((ready) => serve(ready, incoming)) : serve(resolved, incoming);
  });
}

function withinRange(answer: ContentAnswer, incoming: Arrival): BytesAnswer {
  if (!isOutsideRange(answer)) return answer;
  const refused = genericEnvelope(new Fault("range_not_satisfiable", "The range lies outside the bytes."), incoming);
  return { ...refused, headers: { ...refused.headers, "content-range": answer.contentRange } };
}
