// Resumable uploads by tus 1.0.0 with the extensions below. Every verb checks the owner; the HTTP entrance answers preflights
// and decides which origins may read. We do not use @tus/server: that library answers CORS, errors and OPTIONS on its own,
// bypassing our HTTP entrance; it locks within one process only; and it calls its completion hook after the last byte, with no
// recovery if the process dies in between.
import { operations } from "@atelier/contract";
import {
  type AssetId,
  type Assets,
  checksumAlgorithms,
  readChecksum,
  type Upload,
  type UploadId,
} from "../../../capabilities/assets/index.ts";
import type { Answer, BytesAnswer, HeaderValues, Incoming, Route } from "../../../foundation/http/area.ts";
import { requireIdentityEncoding } from "../../../foundation/http/body/read-body.ts";
import { requireId, type WorkspaceId } from "../../../foundation/ids.ts";
import { assetPath } from "../links.ts";
import { plainAnswer, tusVersion } from "../plain-envelope.ts";
import type { Surface, WorkflowCaller } from "../surface.ts";
import { placeStored } from "./place-stored.ts";
import { headerCount, readAnnouncement } from "./read-announcement.ts";

export const offeredToUploads: HeaderValues = {
  "tus-resumable": tusVersion,
  "tus-version": tusVersion,
  "tus-extension": "creation,creation-defer-length,expiration,termination,checksum,concatenation",
  "tus-checksum-algorithm": checksumAlgorithms.join(","),
};

export interface UploadRouteDeps {
  readonly surface: Surface;
  readonly assets: Pick<Assets, "uploads" | "get" | "remove">;
}

type Request = Incoming<WorkflowCaller>;

export function createUploadRoute(deps: UploadRouteDeps): Route<WorkflowCaller> {
  const { surface, assets } = deps;
  return speaking(operations.createUpload, async (incoming) => {
    const { file, ...announced } = readAnnouncement(incoming.headers);
    if (file.filePath !== null) await surface.folder?.requireTarget(file.filePath);
    const { workspaceId } = incoming.caller;
    const upload =
      announced.partialIds === null
        ? await assets.uploads.create({ ...file, ...announced, workspaceId })
        : await assets.uploads.join({ ...file, ...announced, workspaceId });
    if (upload.assetId !== null && surface.folder !== undefined) await placeUploaded(deps, upload, upload.assetId);
    const location = `${surface.mountPath}/api/v2/uploads/${upload.id}`;
    return { status: 201, headers: { ...stateOf(surface, upload), location } };
  });
}

export function getUploadOffsetRoute({ surface, assets: { uploads } }: UploadRouteDeps): Route<WorkflowCaller> {
  return speaking(operations.getUploadOffset, async (incoming) => {
    const upload = await uploads.get(requestedUpload(incoming));
    const metadata: HeaderValues = upload.metadata === "" ? {} : { "upload-metadata": upload.metadata };
    const concat: HeaderValues = upload.concat === null ? {} : { "upload-concat": upload.concat };
    return { status: 200, headers: { ...stateOf(surface, upload), ...metadata, ...concat } };
  });
}

export function appendToUploadRoute(deps: UploadRouteDeps): Route<WorkflowCaller> {
  const { surface, assets } = deps;
  return speaking(operations.appendToUpload, async (incoming) => {
    if (incoming.headers["content-type"]?.trim().toLowerCase() !== "application/offset+octet-stream") {
      return plainAnswer(415, "Send the bytes with Content-Type: application/offset+octet-stream.");
    }
    requireIdentityEncoding(incoming.headers);
    const { headers } = incoming;
    const offset = headerCount(headers, "upload-offset");
    const length = headers["upload-length"] === undefined ? null : headerCount(headers, "upload-length");
    const sum = headers["upload-checksum"];
    const checksum = sum === undefined ? null : readChecksum(String(sum));
    const announcedBytes = Number(incoming.headers["content-length"] ?? 0);
    const source = incoming.stream.iterator({ destroyOnReturn: false });
    const bytes = { offset, announcedBytes, length, checksum, source };
    const upload = await assets.uploads.append(requestedUpload(incoming), bytes);
    if (upload.assetId !== null && surface.folder !== undefined) await placeUploaded(deps, upload, upload.assetId);
    return { status: 204, headers: stateOf(surface, upload) };
  });
}

export function deleteUploadRoute({ assets: { uploads } }: UploadRouteDeps): Route<WorkflowCaller> {
  return speaking(operations.deleteUpload, async (incoming) => {
    await uploads.end(requestedUpload(incoming));
    return { status: 204, headers: { "tus-resumable": tusVersion } };
  });
}

async function placeUploaded(deps: UploadRouteDeps, upload: Upload, assetId: AssetId): Promise<void> {
  const asset = await deps.assets.get({ workspaceId: upload.workspaceId, assetId });
  await placeStored(deps, { asset, isNewRecord: asset.createdAt >= upload.createdAt, isNewContent: false });
}

// Every request names the protocol's version.
function speaking(
  operation: Route<WorkflowCaller>["operation"],
  handle: (incoming: Request) => Promise<BytesAnswer>,
): Route<WorkflowCaller> {
  return {
    operation,
    async handle(incoming): Promise<Answer> {
      if (incoming.headers["tus-resumable"] === tusVersion) return handle(incoming);
      const refused = plainAnswer(412, `Send the header Tus-Resumable: ${tusVersion}.`);
      return { ...refused, headers: { ...refused.headers, "tus-version": tusVersion } };
    },
  };
}

function stateOf(surface: Surface, upload: Upload): HeaderValues {
  return {
    "tus-resumable": tusVersion,
    "upload-offset": String(upload.received),
    ...(upload.length === null ? { "upload-defer-length": "1" } : { "upload-length": String(upload.length) }),
    "upload-expires": upload.expiresAt.toUTCString(),
    "cache-control": "no-store",
    ...(upload.assetId === null ? {} : { location: `${surface.mountPath}${assetPath(upload.assetId)}` }),
  };
}

function requestedUpload(incoming: Request): { workspaceId: WorkspaceId; uploadId: UploadId } {
  const uploadId = requireId<"upload">(incoming.params["id"], "There is no such upload; it may have expired.");
  return { workspaceId: incoming.caller.workspaceId, uploadId };
}
