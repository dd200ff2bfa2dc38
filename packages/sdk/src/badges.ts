// Price badges for a client. We fetch the map once and then only ask whether it has changed. Expressions are evaluated by
// jsonata, which the application installs itself.
import type { BadgeInputs, BadgeValue } from "./badge-values.ts";
import type { Badge, BadgeMap } from "./generated/wire.ts";

export * from "./badge-values.ts";

/** Which badges a client asks for. */
export interface BadgesOptions {
  readonly baseUrl: string;
  readonly appVersion: string;
  readonly platform: "cloud" | "local";
  /** How long the map is taken as it is; 300,000. */
  readonly freshMs?: number;
  readonly fetch?: typeof fetch;
}

type Compiled = { evaluate(input: unknown): Promise<unknown> };
type Jsonata = (expression: string) => Compiled;

/**
 * The badges for one client version and platform.
 * @example
 * const badges = new Badges({ baseUrl: "http://127.0.0.1:8080", appVersion: "0.3.64", platform: "cloud" });
 * const price = await badges.evaluate("SomeNode", { widgets: { seconds: 5 } });
 */
export class Badges {
  readonly #options: BadgesOptions;
  readonly #compiled = new Map<string, Compiled>();
  #map: BadgeMap | null = null;
  #etag: string | null = null;
  #freshUntil = 0;
  #asking: Promise<BadgeMap> | null = null;

  constructor(options: BadgesOptions) {
    this.#options = options;
  }

  /** The whole map; an absent node has no badge. */
  async map(): Promise<BadgeMap> {
    if (this.#map !== null && Date.now() < this.#freshUntil) return this.#map;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /** One node's badge; null when it has none. */
  async get(nodeId: string): Promise<Badge | null> {
    const map = await this.map();
    return Object.hasOwn(map, nodeId) ? (map[nodeId] ?? null) : null;
  }

  /** What a node costs with these inputs; null when it has no badge. Needs the package jsonata. */
  async evaluate(nodeId: string, inputs: BadgeInputs): Promise<BadgeValue | null> {
    const badge = await this.get(nodeId);
    if (badge === null) return null;
    const compiled = this.#compiled.get(badge.expr) ?? (await loadJsonata())(badge.expr);
    this.#compiled.set(badge.expr, compiled);
    const value = await compiled.evaluate({ widgets: {}, inputs: {}, inputGroups: {}, ...inputs });
    return structuredClone(value) as BadgeValue;
  }

  // If the request fails we keep the old map: a price from a minute ago is better than none.
  async #ask(): Promise<BadgeMap> {
    const { baseUrl, appVersion, platform, freshMs = 300_000 } = this.#options;
    const query = new URLSearchParams({ app_version: appVersion, platform });
    const url = `${baseUrl.replace(/\/+$/, "")}/nodes/pricing/badges?${query}`;
    const headers: Record<string, string> = this.#etag === null ? {} : { "if-none-match": this.#etag };
    try {
      const response = await (this.#options.fetch ?? fetch)(url, { headers });
      if (response.status === 200) {
        this.#map = (await response.json()) as BadgeMap;
        this.#etag = response.headers.get("etag");
      } else if (response.status !== 304) throw new Error(`The badge request failed with status ${response.status}.`);
      this.#freshUntil = Date.now() + freshMs;
    } catch (thrown) {
      if (this.#map === null) throw thrown;
    }
    if (this.#map === null) throw new Error("The badge request did not return badges.");
    return this.#map;
  }
}

async function loadJsonata(): Promise<Jsonata> {
  const { default: jsonata }: { default: Jsonata } = await import("jsonata");
  return jsonata;
}
