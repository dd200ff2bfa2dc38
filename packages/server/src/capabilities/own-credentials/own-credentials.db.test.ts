import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { sql } from "../../foundation/database/index.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { createAudit } from "../audit/index.ts";
import type { ProviderDefinition } from "../providers/index.ts";
import { createSealer } from "../secrets/index.ts";
import { createOwnCredentials, type OwnCredentialsDeps } from "./own-credentials.ts";

let database: TestDatabase;
let workspaceId: WorkspaceId;
before(async () => {
  database = await testDatabase();
  workspaceId = newId<"workspace">();
  await database.execute(sql`insert into workspaces (id, name, created_at) values (${workspaceId}, 'Own', now())`);
});
after(() => database.close());

const acting = { actor: { kind: "system" as const, id: null, name: "test" } };
const host = "api.pictures.example";
const definition = (credential: ProviderDefinition["credential"]): ProviderDefinition => ({
  provider: "pictures",
  base_url: `https://${host}`,
  credential,
  workspace_credentials: true,
  models: [],
});

function credentials(more: Partial<OwnCredentialsDeps> & Pick<OwnCredentialsDeps, "keyRing" | "sealer">) {
  const bearer = definition({ kind: "bearer", setting: "ATELIER_PROVIDER_PICTURES_KEY" });
  return createOwnCredentials({
    database,
    clock: handClock(),
    audit: createAudit({ database }),
    definitionOf: async () => bearer,
    takers: () => [bearer.provider],
    ...more,
  });
}

function ringOf(...ids: string[]) {
  const keys = ids.map((id) => ({ id, secret: secretOf(id) }));
  const [current] = keys;
  assert.ok(current);
  const keyRing = { current: () => current, verifying: () => keys };
  return { keyRing, sealer: createSealer(keyRing) };
}

const secrets = new Map<string, Buffer>();
function secretOf(id: string): Buffer {
  const known = secrets.get(id) ?? randomBytes(32);
  secrets.set(id, known);
  return known;
}

test("after a key rotation everything is resealed once, and opens when the old key is gone", async () => {
  await credentials(ringOf("one")).put({ workspaceId, provider: "pictures", text: "own-key-0123" }, acting);
  const rotated = credentials(ringOf("two", "one"));
  assert.deepEqual([await rotated.resealAll(), await rotated.resealAll()], [1, 0]);
  const later = credentials(ringOf("two"));
  assert.equal((await later.find(workspaceId, "pictures", [host]))?.reveal(), "own-key-0123");
  assert.equal(await later.find(workspaceId, "pictures", [host, "elsewhere.example"]), null);
  assert.equal(await later.find(newId<"workspace">(), "pictures", [host]), null);
});

test("an envelope that was copied to another workspace does not open there", async () => {
  const other = newId<"workspace">();
  await database.execute(sql`insert into workspaces (id, name, created_at) values (${other}, 'Other', now())`);
  const ring = ringOf("two");
  await credentials(ring).put({ workspaceId, provider: "pictures", text: "own-key-0123" }, acting);
  await database.execute(sql`
    insert into workspace_provider_credentials (workspace_id, provider, sealed, hosts, created_at, updated_at)
    select ${other}, provider, sealed, hosts, created_at, updated_at from workspace_provider_credentials
    where workspace_id = ${workspaceId}`);
  await assert.rejects(async () => credentials(ring).find(other, "pictures", [host]), /cannot be decrypted/);
});

test("a provider that wants a pair takes a pair only", async () => {
  const jwt = definition({ kind: "jwt_hs256", setting: "ATELIER_PROVIDER_PICTURES_KEY", seconds: 600 });
  const own = credentials({ ...ringOf("two"), definitionOf: async () => jwt });
  await assert.rejects(own.put({ workspaceId, provider: "pictures", text: "no-pair-0123" }, acting), /id:secret/);
  const { credential } = await own.put({ workspaceId, provider: "pictures", text: "id:secret-0123" }, acting);
  assert.equal(credential.isUsed, true);
});
