// The two shipped partners, as definitions in files of the package (decisions, section 4). Their URLs and our identity there
// come from settings or from the sandbox. A file in ATELIER_PARTNERS with the same slug replaces one.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { priceChecks } from "../prices/index.ts";
import { checkPartner } from "./check-definition.ts";
import type { PartnerDefinition } from "./definition.ts";

export interface PartnerLocation {
  readonly baseUrl: string | null;
  readonly ask?: NonNullable<PartnerDefinition["ask"]>;
}

// What we offer of a partner: only what the contract names, or also what public clients of such proxies call (decisions,
// section 9). The latter is in a separate file and exists nowhere else.
export type PartnerOffer = "contract" | "further";

export const shippedPartners = ["partner-a", "partner-b"] as const;
export type ShippedPartner = (typeof shippedPartners)[number];

// Next to `src` in a checkout, next to `dist` in a package.
export const shippedPartnersFolder = join(import.meta.dirname, "../../../partners");

type Further = Pick<PartnerDefinition, "operations" | "reads"> & Partial<Pick<PartnerDefinition, "view">>;

export async function shippedPartner(
  name: ShippedPartner,
  { baseUrl, ask }: PartnerLocation,
  offer: PartnerOffer = "contract",
): Promise<PartnerDefinition> {
  const definition: PartnerDefinition = await jsonOf(`${name}.json`);
  const further: Further = offer === "further" ? await jsonOf(`${name}.further.json`) : { operations: [], reads: [] };
  const checked = checkPartner(priceChecks, {
    ...definition,
    ...further,
    base_url: baseUrl,
    ...(ask ? { ask } : {}),
    operations: [...definition.operations, ...further.operations],
    reads: [...definition.reads, ...further.reads],
  });
  if (checked.ok) return checked.definition;
  // The tests check all of them, so an invalid one was changed on this machine.
  const problems = checked.problems.map(({ path, message }) => `${path} ${message}`);
  throw new Error(`The shipped definition of ${name} is invalid: ${problems.join("; ")}`);
}

async function jsonOf(file: string) {
  return JSON.parse(await readFile(join(shippedPartnersFolder, file), "utf8"));
}

// The sandbox can be asked what became of a reference, at a separate URL.
export function sandboxPartnerLocations(
  url: string,
  credential: PartnerDefinition["credential"],
): { readonly partnerA: PartnerLocation; readonly partnerB: PartnerLocation } {
  const ask = { base_url: url, credential, path: "/v1/references/{reference}", id: "/task_id", not_found: [404] };
  return { partnerA: { baseUrl: `${url}/partner-a`, ask }, partnerB: { baseUrl: `${url}/partner-b`, ask } };
}
