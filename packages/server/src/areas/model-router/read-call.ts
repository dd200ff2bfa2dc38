// What every route that sends something to a model reads from its request, in this order: the model, the workspace's right to
// it, the content type, the key, the cost limit, the bytes.
import { headerName } from "@atelier/contract";
import { type Principal, requireScope } from "../../capabilities/identity/index.ts";
import { type CatalogModel, type ModelCalls, readWaitSeconds } from "../../capabilities/model-calls/index.ts";
import { readMaxCredits } from "../../capabilities/prices/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Incoming } from "../../foundation/http/area.ts";
import { requireIdentityEncoding, requireMediaType } from "../../foundation/http/body/read-body.ts";
import { readIdempotencyKey } from "../../foundation/http/idempotency-key.ts";
import { readLabels } from "../../foundation/json/labels.ts";
import { parseModelId } from "./model-id.ts";

// The model that the path names, if the caller's workspace may run it.
export function admitted(
  { models }: { readonly models: Pick<ModelCalls, "admit"> },
  incoming: Incoming<Principal>,
): CatalogModel | Promise<CatalogModel> {
  return models.admit(incoming.caller.workspaceId, parseModelId(incoming));
}

// `between` reads a route's own headers, after the common ones and before the body.
export async function readCall<More extends object>(
  deps: { readonly models: Pick<ModelCalls, "admit"> },
  incoming: Incoming<Principal>,
  between: () => More,
) {
  const found = admitted(deps, incoming);
  const model = found instanceof Promise ? await found : found;
  requireMediaType(incoming.headers, "application/json");
  requireIdentityEncoding(incoming.headers);
  const idempotencyKey = readIdempotencyKey(incoming.rawHeaders);
  const maxCredits = readMaxCredits(incoming.rawHeaders);
  const waitSeconds = readWaitSeconds(incoming.rawHeaders);
  const keepsOutputs = readKeepOutputs(incoming);
  const labels = labelsOf(incoming);
  const more = between();
  const bytes = await readObject(incoming);
  const { caller, requestId, method, path, queryText } = incoming;
  const request = { method, path, queryText };
  return {
    caller,
    requestId,
    model,
    bytes,
    idempotencyKey,
    maxCredits,
    waitSeconds,
    keepsOutputs,
    labels,
    request,
    ...more,
  };
}

// It creates assets, so it requires the right to do that. Null if the caller did not say.
function readKeepOutputs({ headers, caller }: Incoming<Principal>): boolean | null {
  const text = headers[headerName.keepOutputs.toLowerCase()];
  if (text === undefined) return null;
  if (text !== "true" && text !== "false")
    throw new Fault("invalid_request", `${headerName.keepOutputs} must be true or false.`);
  if (text === "true") requireScope(caller, "workflows");
  return text === "true";
}

// A token that was made for an end user counts for this one.
const labelsOf = ({ caller, rawHeaders }: Incoming<Principal>) =>
  readLabels(rawHeaders, caller.kind === "key" ? (caller.token?.endUser ?? null) : null);

export async function readObject(incoming: Incoming<Principal>): Promise<Buffer> {
  const bytes = await incoming.bytes();
  if (bytes.byteLength === 0) throw new Fault("invalid_json", "The body must be a JSON object.");
  return bytes;
}
