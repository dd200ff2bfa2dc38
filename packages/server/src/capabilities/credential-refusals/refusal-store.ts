// The last refusal of each of this server's own credentials.
import type { Queryable } from "../../foundation/database/index.ts";
import { fromRow, type RowOf, sql } from "../../foundation/database/index.ts";
import type { StoredRefusal } from "./stored-refusal.ts";

export async function upsertRefusal(
  db: Queryable,
  refusal: Pick<StoredRefusal, "holder" | "setting" | "status" | "words" | "times">,
): Promise<void> {
  const { holder, setting, status, words, times } = refusal;
  await db.execute(sql`
    insert into refused_credentials as known (holder, setting, status, words, times)
    values (${holder}, ${setting}, ${status}, ${words}, ${times})
    on conflict (holder, setting) do update
    set status = excluded.status, words = excluded.words, times = known.times + excluded.times, last_at = now()`);
}

// The refusals of the last `hours`, newest first.
export async function listRefusals(db: Queryable, hours: number): Promise<StoredRefusal[]> {
  const rows = await db.query<Row>(sql`
    select holder, setting, status, words, times, last_at from refused_credentials
    where last_at > now() - ${hours} * interval '1 hour' order by last_at desc limit 20`);
  return rows.map(({ times, ...row }) => ({ ...fromRow<Omit<StoredRefusal, "times">>(row), times: Number(times) }));
}

interface Row extends RowOf<Omit<StoredRefusal, "times">> {
  readonly times: string;
}
