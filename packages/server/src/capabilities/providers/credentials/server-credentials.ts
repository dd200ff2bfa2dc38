// This server's credentials at providers: which exist, where each comes from, and whether the provider accepts it. Never
// their values.
import type { Clock } from "../../../foundation/clock.ts";
import { orNotFound } from "../../../foundation/fault.ts";
import type { Upstream } from "../../../foundation/http/outgoing/fetch-upstream.ts";
import type { Secret } from "../../../foundation/settings.ts";
import type { LiveProviders } from "../live-providers.ts";
import { type ConnectionCheck, checkConnection } from "./check-connection.ts";
import type { CredentialWriting, HeldCredentials } from "./held-credentials.ts";

export interface ServerCredential {
  readonly provider: string;
  readonly setting: string;
  // made: by this process, for the sandbox.
  readonly source: "environment" | "stored" | "made" | "none";
  readonly models: number;
  readonly updatedAt: Date | null;
}

export interface ServerCredentials extends CredentialWriting {
  list(): Promise<readonly ServerCredential[]>;
  check(provider: string): Promise<ConnectionCheck>;
}

interface ListDeps {
  readonly live: Pick<LiveProviders, "list">;
  readonly held: HeldCredentials;
  readonly secrets: ReadonlyMap<string, Secret>;
  // Providers that ship with the server, by the setting of their credential.
  shipped(): Promise<readonly { readonly provider: string; readonly setting: string; readonly models: number }[]>;
}

// Covers the effective definitions, and shipped ones that still lack a credential.
export function serverCredentialList({ live, held, secrets, shipped }: ListDeps): ServerCredentials["list"] {
  const sourceOf = (setting: string, hasOne: boolean) => {
    if (secrets.has(setting)) return "environment";
    if (held.enteredAt(setting) !== null) return "stored";
    return hasOne ? "made" : "none";
  };
  return async () => {
    const known = live.list().flatMap(({ provider, definition, hasCredential }) => {
      if (definition === null || definition.credential.kind === "none") return [];
      const { setting } = definition.credential;
      return [{ provider, setting, models: definition.models.length, hasOne: hasCredential }];
    });
    const names = new Set(live.list().map(({ provider }) => provider));
    const waiting = (await shipped()).filter(({ provider }) => !names.has(provider));
    return [...known, ...waiting.map((each) => ({ ...each, hasOne: false }))]
      .map(({ hasOne, ...each }): ServerCredential => {
        const source = sourceOf(each.setting, hasOne);
        return { ...each, source, updatedAt: source === "stored" ? held.enteredAt(each.setting) : null };
      })
      .sort((one, other) => (one.provider < other.provider ? -1 : 1));
  };
}

interface CheckDeps {
  readonly live: LiveProviders;
  readonly upstream: Upstream;
  readonly clock: Clock;
}

export async function checkProvider(deps: CheckDeps, name: string): Promise<ConnectionCheck> {
  const current = deps.live.list().find(({ provider }) => provider === name);
  const definition = orNotFound(await deps.live.definitionOf(name), "There is no such provider.");
  if (!current?.hasCredential) {
    const setting = definition.credential.kind === "none" ? "" : definition.credential.setting;
    return { status: "not_checked", ms: null, words: `It has no credential: enter one, or set ${setting}.` };
  }
  const models = await Promise.all(current.models.map(({ id }) => deps.live.modelOf(id, null)));
  return checkConnection(
    deps,
    models.flatMap((model) => model ?? []),
  );
}
