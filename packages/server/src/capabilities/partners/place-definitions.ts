// Where each partner is: at the operator's URL, or in the sandbox while it runs.
import type { Log } from "../../foundation/log.ts";
import type { Secret } from "../../foundation/settings.ts";
import { readPartnerFiles } from "./partner-files.ts";
import type { PlacedDefinition } from "./price-partner.ts";
import { type PartnerLocation, type PartnerOffer, shippedPartner } from "./shipped-partners.ts";

export interface Placing {
  readonly config: {
    readonly partners: readonly string[];
    readonly partnerAUrl: string | null;
    readonly partnerBUrl: string | null;
  };
  // The URLs of the sandbox's partners while it runs, and the credentials that are valid only there.
  readonly sandbox: {
    readonly partners: { readonly partnerA: PartnerLocation; readonly partnerB: PartnerLocation };
    readonly secrets: ReadonlyMap<string, Secret>;
  } | null;
  // The operator's credentials.
  readonly secrets: ReadonlyMap<string, Secret>;
  readonly log: Log;
  readonly offer: PartnerOffer;
}

// The operator's configuration always wins: a partner at an operator's URL gets the operator's credential, and its callbacks
// are verified with the operator's secret, whether or not the sandbox runs (decisions, section 3: credentials are bound to the
// hosts they were entered for).
export async function placedDefinitions({
  config,
  sandbox,
  secrets,
  log,
  offer,
}: Placing): Promise<PlacedDefinition[]> {
  const files = await readPartnerFiles(config.partners);
  const taken = new Set(files.map(({ partner }) => partner));
  const locations = [
    {
      partner: "partner-a",
      setting: "ATELIER_PARTNER_A_URL",
      url: config.partnerAUrl,
      inSandbox: sandbox?.partners.partnerA,
    },
    {
      partner: "partner-b",
      setting: "ATELIER_PARTNER_B_URL",
      url: config.partnerBUrl,
      inSandbox: sandbox?.partners.partnerB,
    },
  ] as const;
  const shipped: PlacedDefinition[] = [];
  for (const { partner, setting, url, inSandbox } of locations) {
    if (taken.has(partner)) continue;
    const isSandbox = url === null && sandbox !== null && inSandbox !== undefined;
    const location = url !== null ? { baseUrl: url } : (inSandbox ?? nowhere);
    const definition = await shippedPartner(partner, location, offer);
    const { credential } = definition;
    if (isSandbox && credential.kind !== "none" && secrets.has(credential.setting))
      log.warn({ partner }, `${credential.setting} is set, but ${setting} is not: the sandbox answers for ${partner}`);
    shipped.push({ definition, secrets: isSandbox ? sandbox.secrets : secrets });
  }
  return [...shipped, ...files.map((definition) => ({ definition, secrets }))];
}

const nowhere: PartnerLocation = { baseUrl: null };
