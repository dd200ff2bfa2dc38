// Events of public versions for the release notes: published, deprecated, withdrawn.
import { type Queryable, sql } from "../../../foundation/database/index.ts";

export interface VersionNote {
  readonly at: Date;
  readonly nodeId: string;
  readonly version: string;
  readonly change: "added" | "deprecated" | "removed";
  readonly deprecatedAt: Date | null;
  readonly sunsetAt: Date | null;
}

export async function listVersionNotes(db: Queryable, count: number): Promise<VersionNote[]> {
  const rows = await db.query<VersionNoteRow>(sql`
    select at, node.node_id, version.version, change, version.deprecated_at, version.sunset_at from (
      (select moved_at as at, version_id, case when status_after = 'NodeVersionStatusActive' then 'added' else 'removed' end as change
        from node_version_moves
        where undone_at is null and status_before <> status_after and status_after in
          ('NodeVersionStatusActive', 'NodeVersionStatusBanned', 'NodeVersionStatusDeleted')
        order by moved_at desc, id desc limit ${count})
      union all
      (select deprecated_at, id, 'deprecated' from node_versions where deprecated_at is not null
        order by deprecated_at desc limit ${count})
    ) as noted
    join node_versions version on version.id = noted.version_id
    join nodes node on node.id = version.node_id
    where node.visible_to is null and version.archive_hash is not null
    order by at desc limit ${count}`);
  return rows.map(({ node_id, deprecated_at, sunset_at, ...note }) => ({
    ...note,
    nodeId: node_id,
    deprecatedAt: deprecated_at,
    sunsetAt: sunset_at,
  }));
}

interface VersionNoteRow extends Pick<VersionNote, "at" | "version" | "change"> {
  readonly node_id: string;
  readonly deprecated_at: Date | null;
  readonly sunset_at: Date | null;
}
