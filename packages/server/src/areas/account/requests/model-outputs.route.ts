// Turns a URL from a model's answer into an asset of the caller's workspace. The server fetches it, as a graph would, because
// the URL is on another host and expires soon.

import { KeepModelOutput, operations } from "@atelier/contract";
import { type Assets, sniffType } from "../../../capabilities/assets/index.ts";
import { requireScope } from "../../../capabilities/identity/index.ts";
import { onlyBlock } from "../../../foundation/byte-source.ts";
import { Fault } from "../../../foundation/fault.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import type { AccountCaller } from "../account-caller.ts";
import { type OpenModelOutputDeps, openModelOutput } from "./open-model-output.ts";

export interface ModelOutputDeps extends OpenModelOutputDeps {
  readonly outputs: OpenModelOutputDeps["outputs"] & { readonly assets: Pick<Assets, "receive"> };
}

export function keepModelOutputRoute(deps: ModelOutputDeps): Route<AccountCaller> {
  return route(operations.keepModelOutput, async (incoming) => {
    const { principal } = incoming.caller;
    // It creates an asset, so it requires the right to do that.
    requireScope(principal, "workflows");
    const wanted = requireValid(KeepModelOutput, await incoming.json());
    const { request_id: requestId, idempotency_key: idempotencyKey = null, url, name, tags = [] } = wanted;
    const { workspaceId } = principal;
    const bytes = await openModelOutput(deps, { workspaceId, requestId, idempotencyKey, url });
    if (bytes === null)
      throw new Fault(
        "output_unavailable",
        "No stored answer contains this URL, or its file can no longer be fetched.",
      );
    const stored = await deps.outputs.assets.receive({
      workspaceId,
      source: onlyBlock(bytes),
      expectedHash: null,
      // The bytes themselves determine the type, whatever its host declares.
      describe: () => ({
        contentType: sniffType(bytes) ?? "application/octet-stream",
        filePath: name,
        tags,
        keepSeconds: null,
        expectedHash: null,
      }),
      jobId: null,
    });
    const { isNewContent } = stored;
    const kept = { asset_id: stored.asset.id, created_new: isNewContent };
    return jsonAnswer(isNewContent ? 201 : 200, kept, { "cache-control": "no-store" });
  });
}
