// Shows the private networks that this server may call for a caller, so that the operator sees them at a glance.
import { type Finding, well } from "../../looks/finding.ts";

export function egressFinding({ egressAllow }: { readonly egressAllow: readonly string[] }): Finding {
  if (egressAllow.length === 0) return well("egress", "URLs from callers cannot reach private networks");
  return well("egress", `URLs from callers can reach: ${egressAllow.join(", ")}`);
}
