// Price badges of this process: the maps that answer readers, rebuilt when prices change, and the proof that every badge an
// operator writes must pass.
import {
  type BadgeMaps,
  type BadgesFromPrices,
  badgesFromPrices,
  createBadgeMaps,
  retireSeed,
} from "../../areas/price-badges/index.ts";
import { type BadgeProof, badgeProof } from "../../capabilities/badge-proof/index.ts";
import type { Storage } from "../../foundation/database/opening/open-storage.ts";
import type { ProcessDeps } from "./process-deps.ts";

export interface BadgeBuildDeps extends ProcessDeps {
  readonly storage: Storage;
}

export interface Badges extends BadgesFromPrices {
  readonly proof: BadgeProof;
  readonly maps: BadgeMaps;
}

export async function buildBadges({ config, life, clock, log, storage, isolation }: BadgeBuildDeps): Promise<Badges> {
  const { database } = storage;
  const proof = badgeProof({ creditsPerUsd: config.creditsPerUsd, ...(isolation === undefined ? {} : { isolation }) });
  life.onStop("badge proof", () => proof.close());
  const retired = await retireSeed({ database, clock });
  if (retired > 0) log.info({ rows: retired }, "replaced the old seed's badges with badges made from prices");
  const maps = createBadgeMaps({ database, cacheControl: config.badgesCacheControl });
  await maps.start();
  life.work("badge maps", maps);
  return { proof, maps, ...badgesFromPrices({ maps, log }) };
}
