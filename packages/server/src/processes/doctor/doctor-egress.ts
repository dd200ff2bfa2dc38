// Shows the private networks that this server may call for a caller, so that the operator sees them at a glance.
import type { Config } from "../../config.ts";
import { type Finding, well } from "./doctor-finding.ts";

export function egressFinding({ egressAllow }: Pick<Config, "egressAllow">): Finding {
  if (egressAllow.length === 0) return well("egress", "URLs from callers cannot reach private networks");
  return well("egress", `URLs from callers can reach: ${egressAllow.join(", ")}`);
}
