// What `atelier doctor` checks beside the database: the console, the editor, the bus, and the programs that jobs need.
import { lookAtConsole } from "../../areas/console/index.ts";
import { lookAtEditor } from "../../capabilities/editor/index.ts";
import { lookAtTools } from "../../capabilities/graph-runs/index.ts";
import { lookAtMail } from "../../capabilities/mail/index.ts";
import { lookAtSafety } from "../../capabilities/safety/index.ts";
import type { Config } from "../../config.ts";
import type { Finding } from "../../foundation/looks/finding.ts";
import { lookAtBus } from "../../foundation/looks/look-at-bus.ts";
import { lookAtIsolation } from "../../foundation/threads/isolation-findings.ts";
import { hasRole } from "../roles.ts";
import { serverVersion } from "../server-version.ts";

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
