// What the publisher of a node version hears about it.
import type { VersionNotices } from "../registry/index.ts";
import { noticeBytesMax, type Webhooks } from "../webhooks/index.ts";

// A version may have thousands of findings; a read has them all.
const findingsMax = 100;

// Decisions about versions, for endpoints of the publisher's workspace. They leave within a second or so.
export function versionNotices(webhooks: Pick<Webhooks, "enqueue">): VersionNotices {
  return {
    async enqueue(tx, { workspaceId, sequence, type, ...version }) {
      const body = {
        id: version.id,
        node_id: version.nodeId,
        version: version.version,
        status: version.status,
        status_reason: version.statusReason,
        findings: version.findings.slice(0, findingsMax),
        at: version.at.toISOString(),
        sequence,
      };
      const bytes = Buffer.from(JSON.stringify(body));
      const small = bytes.byteLength <= noticeBytesMax ? bytes : Buffer.from(JSON.stringify({ ...body, findings: [] }));
      await webhooks.enqueue(tx, [{ workspaceId, subjectId: version.id, sequence, url: null, type, body: small }]);
    },
  };
}
