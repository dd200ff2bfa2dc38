// Shows the private networks that this server may call for a caller, so that the operator sees them at a glance.
import type { Config } from "../../config.ts";
import { type Finding, well } from "./doctor-finding.ts";

export function egressFinding({ egressAllow }: Pick<Config, "egressAllow">): Finding {
  if (egressAllow.length === 0) return well("egress", "private networks are closed to URLs that callers give");
  return well("egress", `open to URLs that callers give: ${egressAllow.join(", ")}`);
}
