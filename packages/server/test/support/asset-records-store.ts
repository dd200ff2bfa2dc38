// Many assets for tests of long lists: copies of one record under different names, a minute apart.
import { type Queryable, sql } from "../../src/foundation/database/index.ts";

export async function copyAsset(db: Queryable, assetId: string, count: number): Promise<void> {
  await db.execute(sql`
    insert into assets (id, workspace_id, hash, size, content_type, served_type, kind, file_path, tags, job_id,
      created_at, expires_at)
    select gen_random_uuid(), workspace_id, hash, size, content_type, served_type, kind,
      'copy_' || lpad(number::text, 6, '0') || '.png', '{}', null,
      created_at - number * interval '1 minute', null
    from assets, generate_series(1, ${count}::int) as number where id = ${assetId}`);
}
