// Badges of public works: a work that is used as a node shows what its nodes cost together. It is the sum that estimates and
// holds are made of, with every input of the form open, so the charge of any run lies within the badge.
import { trustedId } from "../../../foundation/ids.ts";
import { freePrice, makeRangeBadge, type PricedUse } from "../../prices/index.ts";
import type { PreparedWork } from "./prepared-work.ts";
import { boundsOf, type PriceBoundsDeps } from "./price-bounds.ts";
import { listPublicWorks, stampOfPublicWorks } from "./public-works-store.ts";

export interface WorkBadgesDeps extends PriceBoundsDeps {
  readonly creditsPerUsd: number;
  // Another value if prices have changed.
  pricesStamp(): unknown;
  follow(uses: readonly PricedUse[]): Promise<void>;
}

// At list prices: no workspace has its own credentials here.
const nobody = trustedId<"workspace">("00000000-0000-0000-0000-000000000000");
// More than that would make the map too large for clients to load.
const badgesMax = 5_000;
const pageSize = 100;

export interface WorkBadges {
  // Brings the badges up to date, if anything has changed.
  refresh(): Promise<void>;
}

export function createWorkBadges(deps: WorkBadgesDeps): WorkBadges {
  let known: { readonly stamp: string; readonly prices: unknown } | null = null;
  return {
    async refresh() {
      const at = deps.clock.now();
      const stamp = await stampOfPublicWorks(deps.database, at);
      const prices = deps.pricesStamp();
      if (known?.stamp === stamp && known.prices === prices) return;
      const uses: PricedUse[] = [];
      for (let after = ""; uses.length < badgesMax; ) {
        const page = await listPublicWorks(deps.database, { after, limit: pageSize, at });
        for (const work of page) uses.push(await useOf(deps, await deps.prepare(work)));
        const last = page.at(-1);
        if (page.length < pageSize || last === undefined) break;
        after = last.modelId;
      }
      await deps.follow(uses);
      known = { stamp, prices };
    },
  };
}

async function useOf({ price, creditsPerUsd }: WorkBadgesDeps, prepared: PreparedWork): Promise<PricedUse> {
  const { modelId } = prepared.work;
  const badge = makeRangeBadge(await boundsOf(price, prepared, nobody), creditsPerUsd);
  return { subject: `work:${modelId}`, price: freePrice, badge, node: { name: modelId } };
}
