// What an area hands over when something changed that a receiver wants to hear about. It is written in the area's own
// transaction: the change and its notice are committed together or not at all.
//
//   const sent = await database.transaction(async (tx) => {
//     …the status change, which raises the subject's own sequence by one…
//     return webhooks.enqueue(tx, [{ workspaceId, subjectId: job.id, sequence, url, type: "job.succeeded", body }]);
//   });
//   webhooks.wake(sent);   // after the commit; without it the notice leaves within a second or so
//
// It becomes a delivery to `url`, and one for each endpoint of the workspace that asks for its type. Whether any does, a statement
// of the change itself can say (endpointTypes in shared-sql.ts), so that nothing is rendered for nobody.
import type { WebhookEventType } from "@atelier/contract";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Tags } from "../../foundation/json/labels.ts";

// What filters of endpoints can ask about. Absent or null: a filter that asks for it does not match.
export interface NoticeFacts {
  readonly tags?: Tags | null;
  readonly model?: string | null;
  readonly deploymentId?: string | null;
}

// Where a notice goes.
export interface Addressed {
  readonly workspaceId: WorkspaceId;
  readonly url: string;
}

export interface Notice {
  readonly workspaceId: WorkspaceId;
  // The job, task or prompt that changed.
  readonly subjectId: string;
  // 1 for the first change after creation, then one more each time, without gaps. The area counts, since the body also
  // has the number; a number used twice fails the transaction.
  readonly sequence: number;
  // It passed checkUrl when it was accepted. Null: only for endpoints.
  readonly url: string | null;
  // What happened: `job.running`, `job.succeeded`, `partner_task.completed`. Shown in the delivery log and sent in the
  // body.
  readonly type: WebhookEventType;
  readonly facts?: NoticeFacts;
  // A JSON object: what a read returns, plus `sequence`. At most noticeBytesMax. Sent as it is, with `type` added.
  readonly body: Uint8Array;
}

// Fits a job with many outputs, the largest body. Beyond this, a receiver has to read the subject itself.
export const noticeBytesMax = 256 * 1024;
