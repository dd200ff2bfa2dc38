// Bytes behind signed addresses: translate, nothing else.
import { operations } from "@atelier/contract";
import { type Assets, isOutsideRange } from "../../capabilities/assets/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Route } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";

export function signedContentRoute(assets: Pick<Assets, "resolveSigned" | "content">): Route<unknown> {
  return {
    operation: operations.getSignedContent,
    async handle(incoming) {
      const { asset, remainingSeconds, asAttachment } = await assets.resolveSigned(incoming);
      // No cache may hold the bytes longer than the address works.
      const cacheControl = `private, max-age=${Math.floor(remainingSeconds)}`;
      const answer = await assets.content(asset, incoming, { cacheControl, asAttachment });
      if (!isOutsideRange(answer)) return answer;
      const refused = genericEnvelope(
        new Fault("range_not_satisfiable", "The range lies outside the bytes."),
        incoming,
      );
      return { ...refused, headers: { ...refused.headers, "content-range": answer.contentRange } };
    },
  };
}
