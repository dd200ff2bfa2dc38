// Every statement names the workspace and the owner.
import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import type { EditorFile, EditorFileContent, FileOwner } from "./editor-file.ts";

const columns = sql`path, octet_length(bytes) as size_bytes, revision, created_at, updated_at`;

export async function listFiles(db: Queryable, { workspaceId, ownerId }: FileOwner): Promise<EditorFile[]> {
  const rows = await db.query<RowOf<EditorFile>>(sql`
    select ${columns} from editor_files where workspace_id = ${workspaceId} and owner_id = ${ownerId}
    order by path collate "C"`);
  return rows.map(fromRow<EditorFile>);
}

export async function findFile(
  db: Queryable,
  { workspaceId, ownerId }: FileOwner,
  path: string,
): Promise<EditorFileContent | null> {
  const [row] = await db.query<RowOf<EditorFileContent>>(sql`
    select ${columns}, bytes from editor_files
    where workspace_id = ${workspaceId} and owner_id = ${ownerId} and path = ${path}`);
  return row ? fromRow<EditorFileContent>(row) : null;
}

// Locks it against other changes until the transaction ends. One statement: a file that is written between two would be read
// but not locked.
export async function lockFile(
  tx: Queryable,
  { workspaceId, ownerId }: FileOwner,
  path: string,
): Promise<EditorFileContent | null> {
  const [row] = await tx.query<RowOf<EditorFileContent>>(sql`
    select ${columns}, bytes from editor_files
    where workspace_id = ${workspaceId} and owner_id = ${ownerId} and path = ${path} for update`);
  return row ? fromRow<EditorFileContent>(row) : null;
}

export async function sumFiles(
  db: Queryable,
  { workspaceId, ownerId }: FileOwner,
): Promise<{ readonly files: number; readonly bytes: number }> {
  const [row] = await db.query<{ files: number; bytes: number }>(sql`
    select count(*)::int as files, coalesce(sum(octet_length(bytes)), 0)::int as bytes
    from editor_files where workspace_id = ${workspaceId} and owner_id = ${ownerId}`);
  return row ?? { files: 0, bytes: 0 };
}

// False if a file of this path was written meanwhile.
export async function insertFile(
  tx: Queryable,
  { workspaceId, ownerId }: FileOwner,
  file: { readonly path: string; readonly bytes: Buffer; readonly at: Date },
): Promise<boolean> {
  const { path, bytes, at } = file;
  const count = await tx.execute(sql`
    insert into editor_files (workspace_id, owner_id, path, bytes, revision, created_at, updated_at)
    values (${workspaceId}, ${ownerId}, ${path}, ${bytes}, 1, ${at}, ${at})
    on conflict (workspace_id, owner_id, path) do nothing`);
  return count === 1;
}

export async function replaceFile(
  tx: Queryable,
  { workspaceId, ownerId }: FileOwner,
  file: { readonly path: string; readonly bytes: Buffer; readonly at: Date },
): Promise<void> {
  const { path, bytes, at } = file;
  await tx.execute(sql`
    update editor_files set bytes = ${bytes}, revision = revision + 1, updated_at = ${at}
    where workspace_id = ${workspaceId} and owner_id = ${ownerId} and path = ${path}`);
}

export function deleteFile(tx: Queryable, { workspaceId, ownerId }: FileOwner, path: string): Promise<number> {
  return tx.execute(sql`
    delete from editor_files where workspace_id = ${workspaceId} and owner_id = ${ownerId} and path = ${path}`);
}
