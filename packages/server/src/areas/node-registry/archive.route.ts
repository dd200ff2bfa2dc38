// An archive's bytes on the content origin: translate, nothing else. What everybody may install needs no signature, and
// caches may keep it for some minutes, so that a ban is soon felt.

import { operations } from "@atelier/contract";
import { type Assets, isOutsideRange } from "../../capabilities/assets/index.ts";
import type { Registry } from "../../capabilities/registry/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Route } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";

// As long as caches may keep one.
const archiveSeconds = 300;

export function getNodeArchiveRoute(
  { reading }: Pick<Registry, "reading">,
  assets: Pick<Assets, "content">,
): Route<unknown> {
  return {
    operation: operations.getNodeArchive,
    async handle(incoming) {
      const { id, isSigned, hash, size, nodeId, version } = await reading.archive(incoming);
      const served = { id, hash, size, servedType: "application/zip", filePath: `${nodeId}-${version}.zip` };
      const cacheControl = isSigned ? "private, max-age=300" : "public, max-age=300";
      const rules = { cacheControl, asAttachment: true, directSeconds: archiveSeconds };
      const answer = await assets.content(served, incoming, rules);
      if (!isOutsideRange(answer)) return answer;
      const refused = genericEnvelope(
        new Fault("range_not_satisfiable", "The range lies outside the bytes."),
        incoming,
      );
      return { ...refused, headers: { ...refused.headers, "content-range": answer.contentRange } };
    },
  };
}
