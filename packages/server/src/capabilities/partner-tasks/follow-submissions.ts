// Follows calls whose process died or whose answer got lost. If there is a task, the poller ends it and we leave the call
// alone. If there is none, we ask the partner about our reference, and a task that it knows is accepted late.

import type { Database } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";
import { newRequestId } from "../../foundation/ids.ts";
import type { CallFollowing, Inquiry, RecordedAnswer } from "../calls/index.ts";
import type { Partner } from "../partners/index.ts";
import type { TaskAcceptor } from "./accept-task.ts";
import { type AtPartnerDeps, askAbout } from "./at-partner.ts";
import { unknownWords } from "./lost-submission.ts";
import { parseSubject, readContext, subjectPrefix } from "./task.ts";
import { findAnyTask } from "./task-store.ts";

export interface FollowDeps extends AtPartnerDeps {
  readonly database: Database;
  readonly acceptor: TaskAcceptor;
  partnerOf(slug: string): Partner | null;
}

export function followSubmissions(deps: FollowDeps): CallFollowing {
  return {
    handles: (subject) => subject.startsWith(subjectPrefix),
    async inquire(call, signal): Promise<Inquiry> {
      if (await findAnyTask(deps.database, call.id)) return parked;
      const subject = parseSubject(call.subject);
      const partner = subject && deps.partnerOf(subject.partner);
      const context = readContext(call.context);
      if (!subject || !partner || !context) return { finding: { kind: "unreachable" } };
      const asked = await askAbout(deps, partner, call.id, signal);
      if (asked.kind !== "found") return { finding: asked };
      const { operation } = subject;
      const { id, workspaceId } = call;
      const { partnerTaskId } = asked;
      await deps.acceptor.accept({ id, workspaceId, partner, operation, partnerTaskId, context, reading: null });
      return parked;
    },
    unknownAnswer: () => unknownAnswer,
  };
}

const parked: Inquiry = { finding: { kind: "parked" } };

const { status, body } = genericEnvelope(new Fault("provider_error", unknownWords), {
  requestId: newRequestId(),
  path: "",
});
const unknownAnswer: RecordedAnswer = {
  status,
  headers: { "content-type": "application/json; charset=utf-8" },
  body: Buffer.from(String(body)),
};
