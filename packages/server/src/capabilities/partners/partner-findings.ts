// Which partners can be called from here.
import { type Finding, warning, well } from "../../foundation/looks/finding.ts";
import type { Partner } from "./partner.ts";

export function partnerFindings(partners: readonly Pick<Partner, "definition" | "baseUrl">[]): readonly Finding[] {
  return partners.map(({ definition, baseUrl }) => {
    const { partner, credential, base_url } = definition;
    if (baseUrl !== null) return well("partners", `${partner} can be called`);
    const address = `ATELIER_${partner.toUpperCase().replaceAll("-", "_")}_URL`;
    const missing = [
      ...(base_url === null ? [address] : []),
      ...(credential.kind === "none" ? [] : [credential.setting]),
    ];
    return warning("partners", `${partner} has no address or no credential`, `set ${missing.join(" and ")}`);
  });
}
