// The notes, and what was last seen. Looks run one after another: the one that compares locks the table of subjects.
import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import { newId } from "../../foundation/ids.ts";
import type { Comparison, KnownSubject, NoteKind, ReleaseNote } from "./release-note.ts";

export async function lockSubjects(tx: Queryable): Promise<void> {
  await tx.execute(sql`lock table release_note_subjects in share row exclusive mode`);
}

export async function listSubjects(db: Queryable, kind: NoteKind): Promise<KnownSubject[]> {
  const rows = await db.query<RowOf<KnownSubject>>(
    sql`select subject, state, seen_at from release_note_subjects where kind = ${kind}`,
  );
  return rows.map(fromRow<KnownSubject>);
}

export async function keepSeen(
  tx: Queryable,
  kind: NoteKind,
  { seen, compared, now }: { seen: readonly string[]; compared: Comparison; now: Date },
): Promise<void> {
  const { changed, removed, notes } = compared;
  await tx.execute(sql`
    update release_note_subjects set seen_at = ${now} where kind = ${kind} and subject = any(${seen}::text[])`);
  await tx.execute(sql`
    insert into release_note_subjects (kind, subject, state, seen_at)
    select ${kind}, g.subject, g.state, ${now}
    from unnest(${changed.map(({ subject }) => subject)}::text[], ${changed.map(({ state }) => state)}::text[])
      as g (subject, state)
    on conflict (kind, subject) do update set state = excluded.state, seen_at = excluded.seen_at`);
  await tx.execute(sql`delete from release_note_subjects where kind = ${kind} and subject = any(${removed}::text[])`);
  for (const note of notes)
    await tx.execute(sql`
      insert into release_notes (id, noted_at, kind, subject, change, deprecated_at, sunset_at)
      values (${newId(now.getTime())}, ${note.at}, ${note.kind}, ${note.subject}, ${note.change},
        ${note.deprecatedAt}, ${note.sunsetAt})`);
}

export async function listNotes(db: Queryable, count: number): Promise<ReleaseNote[]> {
  const rows = await db.query<NoteRow>(sql`
    select noted_at, kind, subject, change, deprecated_at, sunset_at from release_notes
    order by noted_at desc, id desc limit ${count}`);
  return rows.map(({ noted_at, deprecated_at, sunset_at, ...note }) => ({
    ...note,
    at: noted_at,
    deprecatedAt: deprecated_at,
    sunsetAt: sunset_at,
  }));
}

interface NoteRow extends Pick<ReleaseNote, "kind" | "subject" | "change"> {
  readonly noted_at: Date;
  readonly deprecated_at: Date | null;
  readonly sunset_at: Date | null;
}
