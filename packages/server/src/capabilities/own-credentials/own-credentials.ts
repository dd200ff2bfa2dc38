// A workspace's own credentials at providers: written once, sealed, never shown. Its calls use them and are not charged
// for the provider's part. They are bound to the hosts of the definition at the time of entry, so a person who may change
// definitions cannot send another's credential elsewhere (decisions, section 3).
import { type Forgetting, forgettingAlone } from "../../foundation/bus/forgetting.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Acting } from "../../foundation/database/acting.ts";
import type { Database } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import { badField } from "../../foundation/json/bad-field.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";
import { Secret } from "../../foundation/settings.ts";
import type { Audit } from "../audit/index.ts";
import { hostsIn, type ProviderDefinition } from "../providers/index.ts";
import type { KeyRing, Sealer } from "../secrets/index.ts";
import {
  deleteOwnCredential,
  listOwnCredentials,
  listSealedByOthers,
  putOwnCredential,
  replaceSealed,
  type StoredOwnCredential,
} from "./own-credential-store.ts";

export interface OwnCredential {
  readonly provider: string;
  readonly hosts: readonly string[];
  // Whether calls use it now: the provider accepts one and is at these hosts.
  readonly isUsed: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface OwnCredentials {
  list(workspaceId: WorkspaceId): Promise<readonly OwnCredential[]>;
  // Providers that accept a workspace's own credential.
  takers(): readonly string[];
  put(
    request: { readonly workspaceId: WorkspaceId; readonly provider: string; readonly text: string },
    by: Acting,
  ): Promise<{ readonly credential: OwnCredential; readonly isNew: boolean }>;
  remove(workspaceId: WorkspaceId, provider: string, by: Acting): Promise<void>;
  // Providers that the workspace has one for. Synchronous if cached (five seconds).
  providersOf(workspaceId: WorkspaceId): readonly string[] | Promise<readonly string[]>;
  // The credential, if it was entered for all of these hosts. Synchronous if cached (five seconds).
  find(workspaceId: WorkspaceId, provider: string, hosts: readonly string[]): Secret | null | Promise<Secret | null>;
  // All of a workspace's credentials in plain text, for redaction. Synchronous if cached, and then always the same array.
  textsOf(workspaceId: WorkspaceId): readonly string[] | Promise<readonly string[]>;
  // Reseals credentials that an older key of the ring sealed. Returns how many.
  resealAll(): Promise<number>;
}

export interface OwnCredentialsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly keyRing: Pick<KeyRing, "current">;
  readonly audit: Pick<Audit, "append">;
  // The effective definition. Null if this server does not know the provider or cannot read its definition.
  definitionOf(provider: string): Promise<ProviderDefinition | null>;
  takers(): readonly string[];
  readonly forgetting?: Forgetting;
}

interface Remembered {
  readonly byProvider: ReadonlyMap<string, { readonly hosts: ReadonlySet<string>; readonly secret: Secret }>;
  readonly texts: readonly string[];
}

const keepMs = 5_000;
const workspacesMax = 10_000;

export function createOwnCredentials(deps: OwnCredentialsDeps): OwnCredentials {
  const { database, clock, sealer, forgetting = forgettingAlone } = deps;
  const kept = new TtlCache<WorkspaceId, Remembered>({ clock, keepMs, entriesMax: workspacesMax });
  const forget = forgetting.share("own credentials", (workspaceId) => kept.delete(trustedId(workspaceId)));

  async function look(workspaceId: WorkspaceId): Promise<Remembered> {
    const stored = await listOwnCredentials(database, workspaceId);
    const all = stored.map(
      (one) => [one.provider, { hosts: new Set(one.hosts), secret: opened(sealer, one) }] as const,
    );
    return { byProvider: new Map(all), texts: all.map(([, { secret }]) => secret.reveal()) };
  }

  const remembered = (workspaceId: WorkspaceId) => kept.getOrLoad(workspaceId, look);

  const shown = async (stored: StoredOwnCredential) => present(stored, await deps.definitionOf(stored.provider));
  return {
    takers: () => deps.takers(),
    list: async (workspaceId) => Promise.all((await listOwnCredentials(database, workspaceId)).map(shown)),
    async put({ workspaceId, provider, text }, by) {
      const definition = requireDefinition(await deps.definitionOf(provider));
      requireForm(definition, text);
      const sealed = sealer.seal(sealContextOf(workspaceId, provider), text);
      const request = { workspaceId, provider, sealed, hosts: hostsIn(definition), at: clock.now() };
      const { stored, isNew } = await database.transaction(async (tx) => {
        const written = await putOwnCredential(tx, request);
        await deps.audit.append(tx, entry(by, "provider_credential.put", written.stored));
        return written;
      });
      await forget(workspaceId);
      return { credential: await shown(stored), isNew };
    },
    async remove(workspaceId, provider, by) {
      await database.transaction(async (tx) => {
        const removed = await deleteOwnCredential(tx, workspaceId, provider);
        if (removed === null) throw new Fault("not_found", "The workspace has no credential for this provider.");
        await deps.audit.append(tx, entry(by, "provider_credential.remove", removed));
      });
      await forget(workspaceId);
    },
    providersOf(workspaceId) {
      const own = remembered(workspaceId);
      return own instanceof Promise ? own.then(({ byProvider }) => [...byProvider.keys()]) : [...own.byProvider.keys()];
    },
    find(workspaceId, provider, hosts) {
      const own = remembered(workspaceId);
      return own instanceof Promise ? own.then((found) => bound(found, provider, hosts)) : bound(own, provider, hosts);
    },
    textsOf(workspaceId) {
      const own = remembered(workspaceId);
      return own instanceof Promise ? own.then(({ texts }) => texts) : own.texts;
    },
    resealAll: () => resealAll(deps),
  };
}

async function resealAll({ database, sealer, keyRing }: OwnCredentialsDeps): Promise<number> {
  const found = await listSealedByOthers(database, keyRing.current("seal").id, 1_000);
  let count = 0;
  for (const stored of found) {
    const sealed = sealer.reseal(sealContextOf(stored.workspaceId, stored.provider), stored.sealed);
    if (sealed === null) continue;
    await replaceSealed(database, stored, sealed);
    count += 1;
  }
  return count;
}

const sealContextOf = (workspaceId: WorkspaceId, provider: string) => ({
  use: "provider-credential",
  associatedData: `${workspaceId} ${provider}`,
});

function opened(sealer: Sealer, { workspaceId, provider, sealed }: StoredOwnCredential): Secret {
  const text = sealer.open(sealContextOf(workspaceId, provider), sealed);
  if (text === null)
    throw new Error(`The workspace's credential for ${provider} cannot be decrypted with this key ring.`);
  return new Secret(text.toString());
}

function bound(own: Remembered, provider: string, hosts: readonly string[]): Secret | null {
  const found = own.byProvider.get(provider);
  return found && hosts.every((host) => found.hosts.has(host)) ? found.secret : null;
}

function present(
  { provider, hosts, createdAt, updatedAt }: StoredOwnCredential,
  definition: ProviderDefinition | null,
): OwnCredential {
  const wanted = definition?.workspace_credentials ? hostsIn(definition) : null;
  const isUsed = wanted?.every((host) => hosts.includes(host)) ?? false;
  return { provider, hosts, isUsed, createdAt, updatedAt };
}

function requireDefinition(definition: ProviderDefinition | null): ProviderDefinition {
  if (!definition?.workspace_credentials)
    throw new Fault("not_found", "No provider of this name accepts a workspace's own credential.");
  return definition;
}

// It must be valid as sent: safe in a header, and a pair if the provider needs one.
function requireForm({ credential }: ProviderDefinition, text: string): void {
  const isPair = credential.kind === "key_pair" || credential.kind === "jwt_hs256";
  const message = !/^[\x21-\x7e]{8,4096}$/.test(text)
    ? "must be 8 to 4,096 visible ASCII characters"
    : isPair && !/^[^:]+:.+$/.test(text)
      ? "must have the form id:secret for this provider"
      : null;
  if (message !== null) throw badField("credential", message);
}

function entry(by: Acting, action: string, { workspaceId, provider, hosts }: StoredOwnCredential) {
  return {
    ...by,
    action,
    subject: { kind: "provider_credential", id: provider },
    workspaceId,
    after: { hosts },
    shown: ["hosts"],
  };
}
