// Archive downloads on the content origin; this route only translates. An archive that everyone may install needs no signature,
// and caches may keep it for a few minutes, so that a ban soon takes effect.

import { operations } from "@atelier/contract";
import { type Assets, isOutsideRange } from "../../capabilities/assets/index.ts";
import type { Registry } from "../../capabilities/registry/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Route, route } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";

// How long caches may keep an archive.
const archiveSeconds = 300;

export function getNodeArchiveRoute(
  { reading }: Pick<Registry, "reading">,
  assets: Pick<Assets, "content">,
): Route<unknown> {
  return route(operations.getNodeArchive, async (incoming) => {
    const { id, isSigned, hash, size, nodeId, version } = await reading.archive(incoming);
    const served = { id, hash, size, servedType: "application/zip", filePath: `${nodeId}-${version}.zip` };
    const cacheControl = isSigned ? "private, max-age=300" : "public, max-age=300";
    const rules = { cacheControl, asAttachment: true, directSeconds: archiveSeconds };
    const answer = await assets.content(served, incoming, rules);
    if (!isOutsideRange(answer)) return answer;
    const refused = genericEnvelope(
      new Fault("range_not_satisfiable", "The requested range is outside the file."),
      incoming,
    );
    return { ...refused, headers: { ...refused.headers, "content-range": answer.contentRange } };
  });
}
