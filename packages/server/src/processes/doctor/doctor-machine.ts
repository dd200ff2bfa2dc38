// What `atelier doctor` checks without a database: versions, the data folder, its disk, the ports, and every part that is
// configured.
import { lookAtConsole } from "../../areas/console/index.ts";
import { lookAtEditor } from "../../capabilities/editor/index.ts";
import { lookAtTools } from "../../capabilities/graph-runs/index.ts";
import { lookAtMail } from "../../capabilities/mail/index.ts";
import { lookAtSafety } from "../../capabilities/safety/index.ts";
import type { Config } from "../../config.ts";
import { foreignOwner, ownerWords } from "../../foundation/home/home-owner.ts";
import { egressFinding } from "../../foundation/http/outgoing/egress-finding.ts";
import { type Finding, problem, well } from "../../foundation/looks/finding.ts";
import { lookAtBus } from "../../foundation/looks/look-at-bus.ts";
import { lookAtHome } from "../../foundation/looks/look-at-home.ts";
import { lookAtServer } from "../../foundation/looks/look-at-ports.ts";
import { lookAtIsolation } from "../../foundation/threads/isolation-findings.ts";
import { hasRole } from "../roles.ts";
import { serverVersion } from "../server-version.ts";

export async function lookAtMachine(config: Config): Promise<Finding[]> {
  return [lookAtVersions(), egressFinding(config), ...(await lookAtHome(config)), ...(await lookAtServer(config))];
}

// If the folder belongs to another user we can say nothing else about it, and the check must leave nothing in it.
export function lookAtOwner({ home }: Pick<Config, "home">): Finding[] | null {
  const owner = foreignOwner(home);
  if (owner === null) return null;
  const { message, mend } = ownerWords(home, owner);
  return [lookAtVersions(), problem("home", message, mend)];
}

function lookAtVersions(): Finding {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  const message = `atelier ${serverVersion}, Node ${node}`;
  if (major > 22 || (major === 22 && minor >= 19)) return well("versions", message);
  return problem("versions", message, "Node 22.19 or newer is needed");
}

export async function lookAtParts(config: Config): Promise<Finding[]> {
  return [
    ...(hasRole(config, "gateway") ? [await lookAtConsole(config.home), await lookAtEditor(config.home)] : []),
    ...(await lookAtBus(config)),
    ...(await lookAtSafety(config, serverVersion)),
    ...(await lookAtMail(config)),
    ...(hasRole(config, "engine") ? [lookAtTools()] : []),
    await lookAtIsolation(config),
  ];
}
