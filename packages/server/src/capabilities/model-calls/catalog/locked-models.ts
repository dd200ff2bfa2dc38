// Models that this server knows but cannot call, because their provider has no credential. People see what a key would give
// them; nothing here can be called.
import type { LiveProviders, ModelDefinition, ProviderDefinition } from "../../providers/index.ts";
import { shippedDefinition, shippedNames } from "./shipped-providers.ts";

export interface LockedModel {
  readonly id: string;
  readonly provider: string;
  readonly definition: ModelDefinition;
  // Whether a workspace can add a credential of its own.
  readonly takesOwnCredential: boolean;
}

// In bytewise order of ids. The files that ship do not change while the server runs, so each is read once.
export function lockedModels(live: Pick<LiveProviders, "list" | "isReleased">): () => Promise<readonly LockedModel[]> {
  let shipped: Promise<readonly ProviderDefinition[]> | null = null;
  return async () => {
    const known = live.list();
    shipped ??= readShipped().catch((error: unknown) => {
      shipped = null;
      throw error;
    });
    const names = new Set(known.map(({ provider }) => provider));
    const definitions = [
      ...known.flatMap(({ hasCredential, definition }) => (hasCredential || definition === null ? [] : [definition])),
      ...(await shipped).filter(({ provider }) => !names.has(provider)),
    ];
    return definitions
      .flatMap(({ provider, models, workspace_credentials }) =>
        models.map((definition) => ({
          id: `${provider}/${definition.model}`,
          provider,
          definition,
          takesOwnCredential: workspace_credentials === true,
        })),
      )
      .filter(({ id, definition }) => live.isReleased(id, definition.released))
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  };
}

async function readShipped(): Promise<readonly ProviderDefinition[]> {
  const found = await Promise.all((await shippedNames()).map(shippedDefinition));
  return found.flatMap((definition) => definition ?? []);
}
