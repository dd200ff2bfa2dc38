// A worker token for tests that only need one. No operator asked for it, so the audit does not mention it.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { type Queryable, sql } from "../../src/foundation/database/index.ts";
import { newId } from "../../src/foundation/ids.ts";

export async function addWorkerToken(db: Queryable, poolIds: readonly string[]): Promise<string> {
  const secret = `worker-${randomBytes(32).toString("base64url")}`;
  const hash = createHash("sha256").update(secret).digest();
  await db.execute(sql`
    insert into worker_tokens (id, name, hash, pool_ids)
    values (${newId()}, ${`test ${randomUUID()}`}, ${hash}, ${poolIds}::uuid[])`);
  return secret;
}
