// Rebuilds the badges whenever prices change, before the change is answered.
import type { PricedUse } from "../../capabilities/prices/index.ts";
import type { Log } from "../../foundation/log.ts";
import type { BadgeMaps } from "./badge-maps.ts";
import { pricedRows } from "./priced-rows.ts";

export interface BadgesOfPrices {
  follow(source: "models" | "partners", uses: readonly PricedUse[]): Promise<void>;
}

export function badgesOfPrices(deps: { maps: Pick<BadgeMaps, "follow">; log: Log }): BadgesOfPrices {
  const bySource = new Map<string, readonly PricedUse[]>();
  const told = new Set<string>();
  return {
    async follow(source, uses) {
      bySource.set(source, uses);
      const { rows, problems } = pricedRows([...bySource.values()].flat());
      for (const problem of problems) {
        if (!told.has(problem)) deps.log.warn({}, `price badges: ${problem}`);
        told.add(problem);
      }
      // The prices are in effect regardless; the map's next check will fix it.
      await deps.maps
        .follow(rows)
        .catch((err: unknown) => deps.log.warn({ err }, "price badges do not show the newest prices yet"));
    },
  };
}
