// The asset routes of v2; they only translate.
import { operations } from "@atelier/contract";
import { type AssetId, type Assets, type StoredAsset, withinRange } from "../../../capabilities/assets/index.ts";
import type { Limits } from "../../../capabilities/limits/index.ts";
import type { Clock } from "../../../foundation/clock.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type BytesAnswer, type Incoming, jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { parseId } from "../../../foundation/ids.ts";
import { assetPath } from "../links.ts";
import type { Surface, SurfaceFolder, WorkflowCaller } from "../surface.ts";
import { workflowEnvelope } from "../workflow-envelope.ts";
import { readHashText } from "./asset-fields.ts";
import { placeStored } from "./place-stored.ts";
import { presentAsset, presentAssetPage } from "./present-asset.ts";
import { readAssetQuery, readThumbnailSide } from "./read-asset-query.ts";
import { readFromHash, readTagChange } from "./read-from-hash.ts";
import { readFromPath } from "./read-from-path.ts";
import { openUploadForm } from "./upload-form.ts";

export interface AssetRouteDeps {
  readonly surface: Surface;
  readonly assets: Assets;
  readonly limits: Pick<Limits, "limitOf">;
  readonly clock: Clock;
}

type Request = Incoming<WorkflowCaller>;

export function assetRoutes(deps: AssetRouteDeps): readonly Route<WorkflowCaller>[] {
  const { surface } = deps;
  return [
    uploadAssetRoute(deps),
    createAssetFromHashRoute(deps),
    ...(surface.folder === undefined ? [] : [createAssetFromPathRoute(deps, surface.folder)]),
    checkAssetByHashRoute(deps),
    listAssetsRoute(deps),
    getAssetRoute(deps),
    changeAssetTagsRoute(deps),
    deleteAssetRoute(deps),
    getAssetContentRoute(deps),
    getAssetThumbnailRoute(deps),
  ];
}

export function uploadAssetRoute(deps: AssetRouteDeps): Route<WorkflowCaller> {
  return route(operations.uploadAsset, async (incoming) => {
    const { workspaceId } = incoming.caller;
    const fileBytesMax = await deps.limits.limitOf(workspaceId, "asset_bytes");
    const form = openUploadForm(incoming, { fileBytesMax, clock: deps.clock });
    try {
      await form.begun();
      // If the name arrives before the bytes, an invalid one is reported before them. In any case it is checked again
      // afterwards.
      const filePath = form.fields.filePath();
      if (filePath !== null) await deps.surface.folder?.requireTarget(filePath);
      const stored = await deps.assets.receive({
        workspaceId,
        source: form.file(),
        expectedHash: form.fields.expectedHash(),
        describe: () => form.fields.finish(),
        jobId: null,
      });
      await placeStored(deps, stored);
      // Spec, v2: 201 for new bytes, 200 for bytes that this workspace already had.
      const { isNewContent } = stored;
      return answerStored(deps.surface, incoming, stored, { isCreated: isNewContent, isNewContent });
    } catch (thrown) {
      await form.giveUp();
      throw thrown;
    }
  });
}

export function createAssetFromHashRoute(deps: AssetRouteDeps): Route<WorkflowCaller> {
  const { assets, surface } = deps;
  return route(operations.createAssetFromHash, async (incoming) => {
    const input = readFromHash(await incoming.json());
    if (input.filePath !== null) await surface.folder?.requireTarget(input.filePath);
    const stored = await assets.fromHash({ ...input, workspaceId: incoming.caller.workspaceId });
    await placeStored(deps, stored);
    // The bytes were here in any case; 201 means an additional record.
    return answerStored(surface, incoming, stored, { isCreated: stored.isNewRecord, isNewContent: false });
  });
}

export function checkAssetByHashRoute({ assets }: AssetRouteDeps): Route<WorkflowCaller> {
  return route(operations.checkAssetByHash, async ({ params, caller }) => {
    const hash = readHashText(params["hash"] ?? "");
    const isHere = hash !== null && (await assets.hasHash(caller.workspaceId, hash));
    if (!isHere) throw new Fault("blob_not_found", "No file with this hash is stored.");
    return { status: 200 };
  });
}

export function listAssetsRoute({ assets, surface }: AssetRouteDeps): Route<WorkflowCaller> {
  return route(operations.listAssets, async (incoming) => {
    const asked = readAssetQuery(incoming.query);
    const page = await assets.list({ ...asked, workspaceId: incoming.caller.workspaceId });
    return privately(presentAssetPage(surface, { ...page, limit: asked.limit }, incoming, incoming.query));
  });
}

export function getAssetRoute({ assets, surface }: AssetRouteDeps): Route<WorkflowCaller> {
  return route(operations.getAsset, async (incoming) =>
    privately(presentAsset(surface, await assets.get(requestedAsset(incoming)), incoming)),
  );
}

export function changeAssetTagsRoute({ assets, surface }: AssetRouteDeps): Route<WorkflowCaller> {
  return route(operations.changeAssetTags, async (incoming) => {
    const change = readTagChange(await incoming.json());
    return privately(presentAsset(surface, await assets.changeTags(requestedAsset(incoming), change), incoming));
  });
}

export function deleteAssetRoute({ assets }: AssetRouteDeps): Route<WorkflowCaller> {
  return route(operations.deleteAsset, async (incoming) => {
    await assets.remove(requestedAsset(incoming));
    return { status: 204 };
  });
}

export function getAssetContentRoute({ assets, surface }: AssetRouteDeps): Route<WorkflowCaller> {
  return route(operations.getAssetContent, async (incoming) => {
    const answer = await surface.content(await assets.get(requestedAsset(incoming)), incoming);
    return withinRange(answer, incoming, workflowEnvelope);
  });
}

export function getAssetThumbnailRoute({ assets }: AssetRouteDeps): Route<WorkflowCaller> {
  return route(operations.getAssetThumbnail, async (incoming) => {
    const side = readThumbnailSide(incoming.query);
    return assets.thumbnail(await assets.get(requestedAsset(incoming)), side, incoming);
  });
}

// A file that the application already has. Its bytes are read once and stored like any other's, so that the asset outlives the
// file.
export function createAssetFromPathRoute(
  { assets, surface }: AssetRouteDeps,
  folder: SurfaceFolder,
): Route<WorkflowCaller> {
  return route(operations.createAssetFromPath, async (incoming) => {
    const request = readFromPath(await incoming.json());
    const opened = await folder.open(request.filePath);
    const contentType = request.contentType ?? opened.contentType;
    const stored = await assets.receive({
      workspaceId: incoming.caller.workspaceId,
      source: opened.source,
      expectedHash: request.expectedHash,
      describe: () => ({ ...request, contentType }),
      jobId: null,
    });
    const { isNewContent } = stored;
    return answerStored(surface, incoming, stored, { isCreated: isNewContent, isNewContent });
  });
}

function answerStored(
  surface: Surface,
  incoming: Request,
  { asset }: StoredAsset,
  how: { readonly isCreated: boolean; readonly isNewContent: boolean },
): BytesAnswer {
  const body = { ...presentAsset(surface, asset, incoming), created_new: how.isNewContent };
  return jsonAnswer(how.isCreated ? 201 : 200, body, {
    location: `${surface.mountPath}${assetPath(asset.id)}`,
    "cache-control": "no-store",
  });
}

// Its URL is the caller's own permission, so no shared cache may keep it.
function privately(body: object): BytesAnswer {
  return jsonAnswer(200, body, { "cache-control": "no-store" });
}

function requestedAsset(incoming: Request): { workspaceId: WorkflowCaller["workspaceId"]; assetId: AssetId | null } {
  return { workspaceId: incoming.caller.workspaceId, assetId: parseId<"asset">(incoming.params["id"] ?? "") };
}
