// A workspace's saved workflows, for export and deletion.
import { type Queryable, sql } from "../../foundation/database/index.ts";
import type { PersonHoldings } from "../../foundation/database/person-holdings.ts";
import { Fault } from "../../foundation/fault.ts";
import type { RestoreBatch, WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";
import { readWhole } from "./read-save.ts";
import { searchWords } from "./search-words.ts";

export const savedWorkflowHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "workflows",
      rows: (id, after, count) => sql`
        select v.workflow_id || ' ' || lpad(v.version::text, 9, '0') as position, v.workflow_id as id, w.name, w.folder, w.tags,
          w.archived_at, w.version as current_version, w.revision, w.created_at as workflow_created_at, w.updated_at,
          v.version, v.format, v.note, v.restored_from, v.created_at, v.created_by_kind, v.created_by_id,
          convert_from(v.document, 'UTF8') as document
        from saved_workflow_versions v join saved_workflows w on w.id = v.workflow_id
        where v.workspace_id = ${id} and v.workflow_id || ' ' || lpad(v.version::text, 9, '0') > ${after}
        order by 1 limit ${count}`,
      restore: { people: ["created_by_id"], read: restoreWorkflows },
    },
  ],
  async release(tx, id) {
    await tx.execute(sql`delete from saved_workflow_versions where workspace_id = ${id}`);
    return { workflows: await tx.execute(sql`delete from saved_workflows where workspace_id = ${id}`) };
  },
};

// What is kept about a document besides its bytes is read from the bytes again.
async function restoreWorkflows(tx: Queryable, { workspaceId, json, rows }: RestoreBatch): Promise<number> {
  const described = rows.map((row) => ({ row, ...describe(String(row["document"])) }));
  const current = described.filter(({ row }) => row["version"] === row["current_version"]);
  const wordsOf = ({ row, words }: (typeof described)[number]) => {
    const tags = Array.isArray(row["tags"]) ? row["tags"].map(String) : [];
    return searchWords({ name: String(row["name"]), folder: String(row["folder"]), tags }, words);
  };
  // Before its versions, with whichever of them comes first.
  await tx.execute(sql`
    insert into saved_workflows (id, workspace_id, name, folder, tags, version, revision, archived_at, created_at, updated_at,
      document_words, words)
    select distinct on (id) id, ${workspaceId}::uuid, name, folder, tags, current_version, revision, archived_at,
      workflow_created_at, updated_at, '{}'::text[], ''::tsvector
    from jsonb_to_recordset(${json}::jsonb) as r (id uuid, name text, folder text, tags text[], current_version int,
      revision int, archived_at timestamptz, workflow_created_at timestamptz, updated_at timestamptz)
    on conflict (id) do nothing`);
  await tx.execute(sql`
    update saved_workflows w set document_words = array(select json_array_elements_text(given.document_words::json)),
      words = array_to_tsvector(array(select json_array_elements_text(given.words::json)))
    from unnest(${current.map(({ row }) => row["id"])}::uuid[], ${current.map(({ words }) => JSON.stringify(words))}::text[],
      ${current.map((one) => JSON.stringify(wordsOf(one)))}::text[]) as given (id, document_words, words)
    where w.id = given.id and w.workspace_id = ${workspaceId}`);
  return tx.execute(sql`
    insert into saved_workflow_versions (workflow_id, version, workspace_id, format, document, sha256, nodes, note, restored_from,
      created_at, created_by_kind, created_by_id)
    select w.id, r.version, ${workspaceId}::uuid, r.format, convert_to(r.document, 'UTF8'), sha256(convert_to(r.document, 'UTF8')),
      read.nodes, r.note, r.restored_from, r.created_at, r.created_by_kind, r.created_by_id
    from jsonb_to_recordset(${json}::jsonb) as r (id uuid, version int, format text, document text, note text, restored_from int,
      created_at timestamptz, created_by_kind text, created_by_id uuid)
    join unnest(${described.map(({ row }) => row["id"])}::uuid[], ${described.map(({ row }) => row["version"])}::int[],
      ${described.map(({ nodes }) => nodes)}::int[]) as read (id, version, nodes) on read.id = r.id and read.version = r.version
    join saved_workflows w on w.id = r.id and w.workspace_id = ${workspaceId}`);
}

function describe(document: string): { readonly nodes: number; readonly words: readonly string[] } {
  const read = readWhole(Buffer.from(`{"document":${document}}`)).document;
  if (read === null) throw new Fault("validation_failed", "A workflow's document is not an object.");
  return read;
}

// The versions that a person saved. They are the workspace's, and stay under the person's id.
export const savedWorkflowPersonHoldings: PersonHoldings = {
  exports: [
    {
      name: "saved_workflow_versions",
      rows: ({ id }, count) => sql`
        select workspace_id, workflow_id, version, note, created_at from saved_workflow_versions
        where created_by_kind = 'person' and created_by_id = ${id} order by created_at desc limit ${count}`,
    },
  ],
};
