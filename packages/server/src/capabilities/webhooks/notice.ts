// What an area hands over when something changed that a receiver wants to hear about. It is written in the area's own
// transaction: the change and its notice are committed together or not at all.
//
//   await database.transaction(async (tx) => {
//     …the status change, which raises the subject's own sequence by one…
//     await webhooks.enqueue(tx, [{ workspaceId, subjectId: job.id, sequence, url, type: "job.succeeded", body }]);
//   });
//   webhooks.wake([{ workspaceId, url }]);   // after the commit; without it the notice leaves within a second or so
import type { WorkspaceId } from "../../foundation/ids.ts";

export interface Notice {
  readonly workspaceId: WorkspaceId;
  // The job, task or prompt that changed.
  readonly subjectId: string;
  // 1 for the first change after creation, then one more each time, without gaps. The area counts, since the body also
  // has the number; a number used twice fails the transaction.
  readonly sequence: number;
  // It passed checkUrl when it was accepted.
  readonly url: string;
  // What happened: `job.running`, `job.succeeded`, `partner_task.completed`. Shown in the delivery log and sent in the
  // body.
  readonly type: string;
  // A JSON object: what a read returns, plus `sequence`. At most noticeBytesMax. Sent as it is, with `type` added.
  readonly body: Uint8Array;
}

// Fits a job with many outputs, the largest body. Beyond this, a receiver has to read the subject itself.
export const noticeBytesMax = 256 * 1024;
