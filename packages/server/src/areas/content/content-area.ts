// The content origin: user-made content, on an origin without cookies, credentials or anything else that a page could reach.
// The signed URL is the permission (Spec, Output URL rule 2).

import type { Assets } from "../../capabilities/assets/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import { type Area, area, type Route } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { getSignedContentRoute } from "./signed-content.route.ts";
import { getSignedUploadRoute, putSignedUploadRoute, type SignedUploads } from "./signed-upload.route.ts";

export interface ContentDeps {
  readonly assets: Pick<Assets, "resolveSigned" | "content" | "tickets">;
  readonly clock: Clock;
  // Throws for an asset of a workspace that moved.
  requireHere(workspaceId: WorkspaceId): void;
  // Node archives, uploaded and read on this origin too if there is a registry.
  readonly archives?: ArchiveTransfers;
}

export interface ArchiveTransfers extends SignedUploads {
  contentRoute(assets: Pick<Assets, "content">): Route<unknown>;
}

export function content(deps: ContentDeps): Area {
  return area({
    name: "content",
    prefixes: ["/c"],
    authenticate: null,
    isSigned: true,
    envelope: genericEnvelope,
    cors: "listed",
    routes: [
      getSignedContentRoute(deps),
      getSignedUploadRoute(deps.assets),
      putSignedUploadRoute(deps),
      ...(deps.archives ? [deps.archives.contentRoute(deps.assets)] : []),
    ],
  });
}
