// Bytes behind signed URLs; these routes only translate. Bytes in memory are answered in the same turn.
import { operations } from "@atelier/contract";
import { type Assets, type ResolvedUrl, withinRange } from "../../capabilities/assets/index.ts";
import { type Arrival, type BytesAnswer, type Route, route } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";

export interface SignedContentDeps {
  readonly assets: Pick<Assets, "resolveSigned" | "content">;
  requireHere(workspaceId: WorkspaceId): void;
}

export function getSignedContentRoute({ assets, requireHere }: SignedContentDeps): Route<unknown> {
  const serve = (resolved: ResolvedUrl, incoming: Arrival): BytesAnswer | Promise<BytesAnswer> => {
    const { asset, remainingSeconds, asAttachment } = resolved;
    requireHere(asset.workspaceId);
    // No cache may hold the bytes longer than the URL is valid.
    const cacheControl = `private, max-age=${Math.floor(remainingSeconds)}`;
    const rules = { cacheControl, asAttachment, directSeconds: remainingSeconds };
    const answer = assets.content(asset, incoming, rules);
    return answer instanceof Promise
      ? answer.then((ready) => withinRange(ready, incoming, genericEnvelope))
      : withinRange(answer, incoming, genericEnvelope);
  };
  return route(operations.getSignedContent, (incoming) => {
    const resolved = assets.resolveSigned(incoming);
    return resolved instanceof Promise ? resolved.then((ready) => serve(ready, incoming)) : serve(resolved, incoming);
  });
}
