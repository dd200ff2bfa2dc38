// What a running proxy says of itself, asked from outside.
export interface ProxyHealth {
  // The application's URL. Null if no proxy answers there.
  readonly upstream: string | null;
  readonly state: string;
}

export async function askProxyHealth(url: string, msMax: number): Promise<ProxyHealth> {
  try {
    const answer = await fetch(`${url}/api/v2/health`, { signal: AbortSignal.timeout(msMax) });
    const { upstream, upstream_state: state }: Readonly<Record<string, unknown>> = Object(await answer.json());
    return { upstream: typeof upstream === "string" ? upstream : null, state: String(state ?? "unknown") };
  } catch {
    return { upstream: null, state: "unknown" };
  }
}
