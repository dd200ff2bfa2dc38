// The first start on an empty database: creates one workspace, one person who owns it, one key with every scope, and one
// sign-in link. It happens once per database. A later start finds the mark and writes nothing, so a revoked bootstrap key
// never comes back. If two processes start together, one does it and the other finds it done.
import { Fault } from "../../foundation/fault.ts";
import { newId, type PersonId, type WorkspaceId } from "../../foundation/ids.ts";
import type { Acting, ChangeDeps } from "./acting.ts";
import { chosenKeyCharactersMin, generateKey, hashSecret, keyPrefix, keyShape, randomToken } from "./api-key.ts";
import { insertInstallation, isBootstrapped, lockInstallation } from "./installation-store.ts";
import { newKey, storeKey } from "./keys.ts";
import { setInstallationRole } from "./people/operator-store.ts";
import { storePerson, storeWorkspace, type WorkspaceCreated } from "./people/workspaces.ts";
import { scopes } from "./principal.ts";
import { insertSignInLink } from "./signing-in/session-store.ts";
import { linkMs } from "./signing-in/sign-in.ts";

export interface BootstrapDeps extends ChangeDeps {
  readonly workspaceCreated: WorkspaceCreated;
  // Called with the key before the commit, perhaps more than once, so that a crash cannot lose it.
  readonly keepKey?: (key: string) => Promise<void>;
}

export type Bootstrapped =
  | { readonly fresh: false }
  | {
      readonly fresh: true;
      readonly workspaceId: WorkspaceId;
      readonly personId: PersonId;
      readonly key: string;
      readonly signInToken: string;
      readonly signInExpiresAt: Date;
    };

const bySystem: Acting = { actor: { kind: "system", id: null, name: "first start" } };

export async function bootstrap(deps: BootstrapDeps, chosenKey: string | null): Promise<Bootstrapped> {
  if (chosenKey !== null) requireChosenKey(chosenKey);
  // Most starts are not the first and need no lock.
  if (await isBootstrapped(deps.db)) return { fresh: false };
  const secret = chosenKey ?? generateKey();
  const signInToken = randomToken();
  const now = deps.clock.now();
  const person = { id: newId<"person">(now.getTime()), name: "Owner", email: null, createdAt: now };
  const workspace = { id: newId<"workspace">(now.getTime()), name: "Default workspace", createdAt: now };
  const request = { workspaceId: workspace.id, name: "Bootstrap key", role: "owner", scopes, expiresAt: null } as const;
  const key = newKey({ ...request, createdBy: person.id }, secret, now);
  const signInExpiresAt = new Date(now.getTime() + linkMs);
  const fresh = await deps.db.transaction(async (tx) => {
    await lockInstallation(tx);
    if (await isBootstrapped(tx)) return false;
    await storePerson(tx, deps.audit, person, bySystem);
    await setInstallationRole(tx, { personId: person.id, role: "operator" });
    await storeWorkspace(tx, deps, { workspace, ownerId: person.id }, bySystem);
    await storeKey(tx, deps.audit, { key, secret }, bySystem);
    const link = { hash: hashSecret(signInToken), personId: person.id, createdAt: now, expiresAt: signInExpiresAt };
    await insertSignInLink(tx, link);
    await deps.keepKey?.(secret);
    await insertInstallation(tx, { workspaceId: workspace.id, personId: person.id, keyId: key.id, now });
    return true;
  });
  if (!fresh) return { fresh };
  return { fresh, workspaceId: workspace.id, personId: person.id, key: secret, signInToken, signInExpiresAt };
}

// Authentication must later accept a chosen key: one that looks issued but has a wrong checksum would be refused before
// the look-up.
export function requireChosenKey(text: string): void {
  const shape = keyShape(text);
  if (shape === "not_a_key" || text.length < chosenKeyCharactersMin) {
    throw new Fault(
      "invalid_request",
      `The bootstrap key must begin with ${keyPrefix} and have ${chosenKeyCharactersMin} to 255 visible ASCII characters.`,
    );
  }
  if (shape === "bad_checksum") {
    throw new Fault(
      "invalid_request",
      "The bootstrap key looks like an issued key, but its checksum is wrong. Is a character missing or mistyped?",
    );
  }
}
