// Invariants of versions, as queries that return the rows that break them.

import { type Invariant, sql } from "../../../foundation/database/index.ts";
import { blobReferenceFacts } from "../../blobs/shared-sql.ts";
export const versionInvariants: readonly Invariant[] = [
  {
    name: "I60 the archive of every version that is not deleted is held",
    statement: sql`
      select version.id from node_versions as version
      where version.archive_hash is not null and version.status <> 'NodeVersionStatusDeleted'
        and not exists (select from ${blobReferenceFacts} as reference
          where reference.hash = version.archive_hash and reference.holder_kind = 'node-version'
            and reference.holder_id = version.id::text)`,
  },
  {
    name: "I61 the latest version of a node is one of its own, active, and has an archive",
    statement: sql`
      select node.id from nodes as node left join node_versions as version on version.id = node.latest_version_id
      where node.latest_version_id is not null and (version.id is null or version.node_id <> node.id
        or version.status <> 'NodeVersionStatusActive' or version.archive_hash is null)`,
  },
  {
    name: "I62 a node with an active version has a latest one",
    statement: sql`
      select node.id from nodes as node
      where node.latest_version_id is null and exists (select from node_versions as version
        where version.node_id = node.id and version.status = 'NodeVersionStatusActive'
          and version.archive_hash is not null)`,
  },
  {
    name: "I63 what is active was checked, or an operator said so",
    statement: sql`
      select version.id from node_versions as version
      where version.status = 'NodeVersionStatusActive' and version.checked_at is null
        and not exists (select from node_version_moves as move
          where move.version_id = version.id and move.actor_kind = 'admin')`,
  },
  {
    name: "I64 every copy of an upstream archive that is kept is held, and no other is",
    statement: sql`
      select copy.version_id::text, reference.holder_id
      from (select * from registry_upstream_archives where state = 'kept') as copy
        full join (select * from ${blobReferenceFacts} as held where holder_kind = 'upstream-archive') as reference
          on reference.holder_id = copy.version_id::text and reference.hash = copy.hash
      where copy.version_id is null or reference.holder_id is null`,
  },
];
