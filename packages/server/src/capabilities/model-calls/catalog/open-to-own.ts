// Which models and providers are open to a workspace with its own credential.
import type { LiveProviders } from "../../providers/index.ts";

export interface OpenToOwn {
  // Whether a model is available to workspaces that bring their own credential, although this server has none for it.
  isForOwn(modelId: string): boolean;
  // Providers that accept a workspace's own credential.
  takers(): readonly string[];
}

// A shipped provider that no one configured is idle, and still open.
export function openToOwn(live: Pick<LiveProviders, "list">, shippedIds: ReadonlySet<string>): OpenToOwn {
  const isForOwn = (modelId: string) => {
    const [name] = modelId.split("/");
    const current = live.list().find(({ provider }) => provider === name);
    if (!current) return shippedIds.has(modelId);
    const takesOwn = current.definition?.workspace_credentials ?? false;
    return takesOwn && current.models.some(({ id, released }) => id === modelId && released);
  };
  const takers = () => {
    const current = live.list();
    const shippedNames = [...shippedIds].map((id) => id.slice(0, id.indexOf("/")));
    const idle = shippedNames.filter((name) => current.every(({ provider }) => provider !== name));
    const served = current.filter(({ definition }) => definition?.workspace_credentials);
    return [...new Set([...idle, ...served.map(({ provider }) => provider)])].sort();
  };
  return { isForOwn, takers };
}
