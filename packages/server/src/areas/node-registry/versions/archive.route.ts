// An archive's bytes on the content origin: translate, nothing else. What everybody may install needs no signature, and
// caches may keep it for some minutes, so that a ban is soon felt. What is not ours may be the upstream registry's.
import { operations } from "@atelier/contract";
import { type Assets, isOutsideRange } from "../../../capabilities/assets/index.ts";
import type { Database } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { Route } from "../../../foundation/http/area.ts";
import { genericEnvelope } from "../../../foundation/http/generic-envelope.ts";
import { type ArchiveAddresses, isForEverybody } from "./archive-addresses.ts";
import { type ArchivePlace, findArchive } from "./archive-store.ts";

export interface ArchiveRouteDeps {
  readonly database: Database;
  readonly addresses: Pick<ArchiveAddresses, "readDownload">;
  // Null: not one of upstream's either.
  readonly mirroredArchive: (asked: { readonly id: string; readonly query: URLSearchParams }) => Promise<{
    readonly hash: string;
    readonly size: number;
    readonly nodeId: string;
    readonly version: string;
  } | null>;
}

export function getNodeArchiveRoute(deps: ArchiveRouteDeps, assets: Pick<Assets, "content">): Route<unknown> {
  return {
    operation: operations.getNodeArchive,
    async handle(incoming) {
      const claim = deps.addresses.readDownload(incoming);
      const place = claim && (await findArchive(deps.database, claim.id));
      const mirrored = claim && place === null && (await deps.mirroredArchive({ id: claim.id, query: incoming.query }));
      const archive = claim && mirrored ? served(claim.id, mirrored) : requireReadable(place, claim?.isSigned ?? false);
      const cacheControl = claim?.isSigned ? "private, max-age=300" : "public, max-age=300";
      const answer = await assets.content(archive, incoming, { cacheControl, asAttachment: true });
      if (!isOutsideRange(answer)) return answer;
      const refused = genericEnvelope(
        new Fault("range_not_satisfiable", "The range lies outside the bytes."),
        incoming,
      );
      return { ...refused, headers: { ...refused.headers, "content-range": answer.contentRange } };
    },
  };
}

// Banned versions and nodes are not handed out, signed or not.
function requireReadable(place: ArchivePlace | null, isSigned: boolean) {
  const isGone = place?.status === "NodeVersionStatusDeleted" || place?.nodeStatus === "NodeStatusDeleted";
  if (!place?.archive || isGone) throw new Fault("not_found", "There is no such archive.");
  if (!isForEverybody(place) && !isSigned) {
    throw new Fault("forbidden", "This address does not work, or does not work any more.");
  }
  if (place.status === "NodeVersionStatusBanned" || place.nodeStatus === "NodeStatusBanned") {
    throw new Fault("forbidden", "This version is banned.");
  }
  return served(place.id, { ...place, ...place.archive });
}

function served(id: string, archive: { hash: string; size: number; nodeId: string; version: string }) {
  const { hash, size, nodeId, version } = archive;
  return { id, hash, size, servedType: "application/zip", filePath: `${nodeId}-${version}.zip` };
}
