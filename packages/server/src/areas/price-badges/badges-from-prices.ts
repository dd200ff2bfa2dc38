// Rebuilds the badges whenever prices change, before the change is answered.
import type { PricedUse } from "../../capabilities/prices/index.ts";
import type { Log } from "../../foundation/log.ts";
import type { BadgeMaps } from "./badge-maps.ts";
import { pricedRows } from "./priced-rows.ts";

export interface BadgesFromPrices {
  follow(source: "models" | "partners" | "works", uses: readonly PricedUse[]): Promise<void>;
}

export function badgesFromPrices(deps: { maps: Pick<BadgeMaps, "follow">; log: Log }): BadgesFromPrices {
  const bySource = new Map<string, readonly PricedUse[]>();
  const logged = new Set<string>();
  return {
    async follow(source, uses) {
      bySource.set(source, uses);
      const { rows, problems } = pricedRows([...bySource.values()].flat());
      for (const problem of problems) {
        if (!logged.has(problem)) deps.log.warn({}, `price badges: ${problem}`);
        logged.add(problem);
      }
      // The prices are in effect regardless; the map's next check will fix it.
      await deps.maps
        .follow(rows)
        .catch((err: unknown) => deps.log.warn({ err }, "price badges do not show the newest prices yet"));
    },
  };
}
