// Shared by the tests of this capability; contains no test itself. `aProcess` builds a whole capability with its own
// clock, as another process would have it: two of them share only the database.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { Database } from "../../foundation/database/database.ts";
import { sql } from "../../foundation/database/sql.ts";
import { Fault } from "../../foundation/fault.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId, type PersonId, type WorkspaceId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import { createAudit } from "../audit/index.ts";
import type { Acting } from "./acting.ts";
import { createIdentity, type Identity, type IdentityDeps } from "./create-identity.ts";
import { createFailureBudget } from "./failure-budget.ts";

export const bySystem: Acting = { actor: { kind: "system", id: null } };

export const secretRing = (secret: Buffer) => ({
  current: () => ({ id: "ring-1", secret }),
  verifying: () => [{ id: "ring-1", secret }],
});
const keyRing = secretRing(randomBytes(32));

export function aProcess(db: Database, changed: Partial<IdentityDeps> = {}) {
  const clock = handClock();
  const identity = createIdentity({
    db,
    clock,
    log: silentLog,
    audit: createAudit({ database: db }),
    keyRing,
    failures: createFailureBudget({ clock, failuresPerMinuteMax: 1_000 }),
    requireQuota: () => {},
    workspaceCreated: async () => {},
    baseUrl: () => "http://127.0.0.1:8080",
    externalIssuer: null,
    unknownWorkspace: "must_exist",
    defaultEntitlements: ["*"],
    workspacesPerPersonMax: 3,
    membersPerWorkspaceMax: 4,
    partnerAudience: null,
    freshSignInMs: 15 * 60_000,
    ...changed,
  });
  return { identity, clock };
}

export async function aPerson(db: Database, name = "Ada"): Promise<PersonId> {
  const id = newId<"person">();
  await db.execute(sql`insert into people (id, name, created_at) values (${id}, ${name}, now())`);
  return id;
}

export async function aStudio(
  db: Database,
  identity: Identity,
): Promise<{ workspaceId: WorkspaceId; ownerId: PersonId }> {
  const ownerId = await aPerson(db);
  return { ownerId, workspaceId: (await identity.workspaces.create({ name: "Studio", ownerId }, bySystem)).id };
}

// A signed-in browser, with the text of its cookie.
export async function aSession(identity: Identity, personId: PersonId) {
  const { token } = await identity.signIn.createLink(personId, bySystem);
  const cookie = (await identity.signIn.useLink(token, null, undefined))?.token ?? "";
  const session = await identity.signIn.readSession(cookie);
  assert.ok(session);
  return { ...session, cookie };
}

export const withKey = (key: string, peer = "192.0.2.1") => ({ rawHeaders: ["X-API-Key", key], peer });
export const withBearer = (token: string) => ({ rawHeaders: ["Authorization", `Bearer ${token}`], peer: "192.0.2.1" });

// The Fault that `run` ends with; anything else fails the test.
export async function refusal(run: () => unknown): Promise<Fault> {
  try {
    await run();
  } catch (thrown) {
    assert.ok(thrown instanceof Fault, String(thrown));
    return thrown;
  }
  return assert.fail("nothing was refused");
}

export const codeOf = async (run: () => unknown): Promise<string> => (await refusal(run)).code;
