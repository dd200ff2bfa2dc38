// Works put straight into the database, for tests of calling them.
import { createHash } from "node:crypto";
import {
  insertWork,
  insertWorkVersion,
  reserveProvider,
} from "../../src/capabilities/works/publishing/work-write-store.ts";
import type { Database } from "../../src/foundation/database/index.ts";
import { newId, trustedId } from "../../src/foundation/ids.ts";

export interface GivenWork {
  readonly workspaceId: string;
  readonly provider: string;
  readonly name: string;
  // JSON text, or a value.
  readonly graph: object | string;
  readonly form: object | string;
  readonly visibility?: "private" | "public";
}

export async function storeWork(database: Database, given: GivenWork): Promise<string> {
  const workspaceId = trustedId<"workspace">(given.workspaceId);
  const modelId = `${given.provider}/${given.name}`;
  const id = newId<"work">();
  const at = new Date();
  const text = (value: object | string) => (typeof value === "string" ? value : JSON.stringify(value));
  await database.transaction(async (tx) => {
    await reserveProvider(tx, { workspaceId, provider: given.provider, at });
    await insertWork(tx, {
      id,
      workspaceId,
      modelId,
      name: given.name,
      title: given.name,
      description: null,
      visibility: given.visibility ?? "private",
      version: 1,
      versions: 1,
      cover: null,
      deprecatedAt: null,
      sunsetAt: null,
      at,
    });
    await insertWorkVersion(tx, {
      workId: id,
      workspaceId,
      version: 1,
      workflowId: newId<"workflow">(),
      workflowVersion: 1,
      graph: Buffer.from(text(given.graph)),
      form: text(given.form),
      needs: { node_classes: [], models: [], files: [], works: [] },
      examples: "[]",
      fingerprint: createHash("sha256").update(text(given.graph)).digest(),
      note: null,
      createdByKind: "key",
      createdById: newId<"key">(),
      at,
    });
  });
  return modelId;
}
