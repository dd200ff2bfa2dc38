// Finds which of many callers have lost their credential, in one statement for any number of them.
import type { Queryable } from "../../foundation/database/database.ts";
import { sql } from "../../foundation/database/sql.ts";
import { isLiveToken } from "./deriving/derived-token-store.ts";
import type { Principal } from "./principal.ts";
import type { LiveAt } from "./signing-in/session-store.ts";

// The positions of those who have lost it: their key was revoked or has expired, their session has ended, or they are no
// longer a member.
export async function findLost(db: Queryable, asked: readonly Principal[], at: LiveAt): Promise<number[]> {
  const rows = await db.query<{ position: number }>(sql`
    with asked as (
      select position - 1 as position, workspace_id, key_id, person_id, session_id
      from unnest(${asked.map(({ workspaceId }) => workspaceId)}::uuid[], ${asked.map(({ keyId }) => keyId)}::uuid[],
                  ${asked.map(({ personId }) => personId)}::uuid[],
                  ${asked.map((one) => (one.kind === "key" ? null : one.sessionId))}::uuid[])
        with ordinality as given (workspace_id, key_id, person_id, session_id, position)
    )
    select position::int from asked
    where case when key_id is not null then not exists (
        select from api_keys as token
        where token.id = asked.key_id and token.workspace_id = asked.workspace_id and token.revoked_at is null
          and (token.expires_at is null or token.expires_at > ${at.now})
          and (token.ancestors is null or ${isLiveToken(at)}))
      else not exists (
        select from members as member
        where member.workspace_id = asked.workspace_id and member.person_id = asked.person_id and member.removed_at is null)
        or (session_id is not null and not exists (
          select from sessions as session
          where session.id = asked.session_id and session.person_id = asked.person_id and session.revoked_at is null
            and session.expires_at > ${at.now} and session.last_seen_at > ${at.idleSince}))
      end`);
  return rows.map(({ position }) => position);
}
