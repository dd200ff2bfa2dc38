// Credentials that an operator entered while the server was running: sealed, never shown, and used if the environment has
// none. They are bound to the hosts of the definition at the time of entry, like those of workspaces (decisions, section
// 3).
import type { Clock } from "../../../foundation/clock.ts";
import type { Database } from "../../../foundation/database/index.ts";
import { Fault, orNotFound } from "../../../foundation/fault.ts";
import { badField } from "../../../foundation/json/bad-field.ts";
import { Secret } from "../../../foundation/settings.ts";
import type { Audit } from "../../audit/index.ts";
import type { ProviderDefinition } from "../definition.ts";
import { advanceProviderRevision, lockDefinitions } from "../definition-store.ts";
import type { ActingOnProviders } from "../provider-catalog.ts";
import { hostsIn } from "../providers.ts";
import {
  deleteStoredCredential,
  listStoredCredentials,
  putStoredCredential,
  replaceStoredSeal,
  type StoredCredential,
} from "./held-credential-store.ts";

interface SealedFor {
  readonly use: string;
  readonly associatedData: string;
}

// The part of the sealer that this needs.
export interface CredentialSealer {
  seal(context: SealedFor, plaintext: string): string;
  open(context: SealedFor, envelope: string): Buffer | null;
  reseal(context: SealedFor, envelope: string): string | null;
}

// The credentials as this process knows them.
export interface HeldCredentials {
  // Reads them again. True if they have changed.
  load(): Promise<boolean>;
  // The credential, if it was entered for all of these hosts.
  find(setting: string, hosts: readonly string[]): Secret | null;
  // When it was entered. Null if there is none, or it does not open under this key ring.
  enteredAt(setting: string): Date | null;
  // All of them in plain text, for redaction. The same array until they change.
  texts(): readonly string[];
  // Reseals credentials that an older key of the ring sealed.
  resealAll(): Promise<void>;
}

interface Held {
  readonly secret: Secret;
  readonly hosts: ReadonlySet<string>;
  readonly updatedAt: Date;
}

export function heldCredentials(deps: {
  readonly database: Database;
  readonly sealer: CredentialSealer;
}): HeldCredentials {
  const { database, sealer } = deps;
  let held: ReadonlyMap<string, Held> = new Map();
  let texts: readonly string[] = [];
  let seen = "";
  return {
    async load() {
      const stored = await listStoredCredentials(database);
      const now = stored.map(({ setting, sealed }) => `${setting} ${sealed}`).join("\n");
      if (now === seen) return false;
      held = new Map(stored.flatMap((one) => opened(sealer, one)));
      texts = [...held.values()].map(({ secret }) => secret.reveal());
      seen = now;
      return true;
    },
    find(setting, hosts) {
      const found = held.get(setting);
      return found && hosts.every((host) => found.hosts.has(host)) ? found.secret : null;
    },
    enteredAt: (setting) => held.get(setting)?.updatedAt ?? null,
    texts: () => texts,
    async resealAll() {
      for (const stored of await listStoredCredentials(database)) {
        const sealed = sealer.reseal(contextOf(stored.setting), stored.sealed);
        if (sealed !== null && sealed !== stored.sealed) await replaceStoredSeal(database, stored, sealed);
      }
    },
  };
}

export interface CredentialWriting {
  put(provider: string, text: string, by: ActingOnProviders): Promise<void>;
  remove(provider: string, by: ActingOnProviders): Promise<void>;
}

export function credentialWriting(deps: {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "append">;
  readonly sealer: CredentialSealer;
  definitionOf(provider: string): Promise<ProviderDefinition | null>;
  // Called after the commit: this process serves the change before the writer is answered.
  changed(): Promise<void>;
}): CredentialWriting {
  const { database, audit, sealer, clock } = deps;
  return {
    async put(provider, text, by) {
      const { definition, setting } = await needed(deps, provider);
      requireForm(definition, text);
      const hosts = hostsIn(definition);
      const sealed = sealer.seal(contextOf(setting), text);
      await database.transaction(async (tx) => {
        await lockDefinitions(tx);
        await putStoredCredential(tx, { setting, provider, sealed, hosts, updatedAt: clock.now() });
        await advanceProviderRevision(tx);
        await audit.append(tx, entry(by, "server_credential.put", provider, { setting, hosts }));
      });
      await deps.changed();
    },
    async remove(provider, by) {
      const { setting } = await needed(deps, provider);
      await database.transaction(async (tx) => {
        await lockDefinitions(tx);
        const removed = await deleteStoredCredential(tx, setting);
        if (removed === null) throw new Fault("not_found", "No credential for this provider is stored on this server.");
        await advanceProviderRevision(tx);
        await audit.append(tx, entry(by, "server_credential.remove", provider, { setting, hosts: removed.hosts }));
      });
      await deps.changed();
    },
  };
}

const contextOf = (setting: string): SealedFor => ({ use: "server-credential", associatedData: setting });

// A credential that does not open under this key ring counts as absent.
function opened(sealer: CredentialSealer, stored: StoredCredential): [string, Held][] {
  const text = sealer.open(contextOf(stored.setting), stored.sealed);
  if (text === null) return [];
  const { setting, hosts, updatedAt } = stored;
  return [[setting, { secret: new Secret(text.toString()), hosts: new Set(hosts), updatedAt }]];
}

async function needed(
  { definitionOf }: { definitionOf(provider: string): Promise<ProviderDefinition | null> },
  provider: string,
): Promise<{ readonly definition: ProviderDefinition; readonly setting: string }> {
  const definition = orNotFound(await definitionOf(provider), "There is no such provider.");
  const { credential } = definition;
  if (credential.kind === "none") throw new Fault("conflict", "This provider needs no credential.");
  return { definition, setting: credential.setting };
}

// It must be valid as sent: safe in a header, and a pair if the provider needs one.
function requireForm({ credential }: ProviderDefinition, text: string): void {
  const isPair = credential.kind === "key_pair" || credential.kind === "jwt_hs256";
  if (!isPair || /^[^:]+:.+$/.test(text)) return;
  throw badField("value", "must have the form id:secret for this provider");
}

function entry(by: ActingOnProviders, action: string, provider: string, about: object) {
  return { ...by, action, subject: { kind: "provider", id: provider }, after: about, shown: ["setting", "hosts"] };
}
