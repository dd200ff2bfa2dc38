// What `atelier doctor` and the checks of a running server say about the walls around child processes.
import { type Isolation, type IsolationLevel, openIsolation } from "@atelier/engine/isolation";
import { type Finding, problem, warning, well } from "../looks/finding.ts";
import { hiddenFrom, type IsolationSettings } from "./choose-isolation.ts";

const name = "isolation";

export async function lookAtIsolation(config: IsolationSettings): Promise<Finding> {
  const { isolation: wanted } = config;
  const isolation = await openIsolation(wanted, hiddenFrom(config));
  if (!("problem" in isolation)) return isolationFinding(isolation);
  return problem(
    name,
    `${wanted} does not work here: ${isolation.problem}`,
    "mend that, or set ATELIER_ISOLATION=auto",
  );
}

export function isolationFinding({ levels, refused }: Isolation): Finding {
  const kindsOf = new Map<IsolationLevel, string[]>();
  for (const { kind, level } of levels) kindsOf.set(level, [...(kindsOf.get(level) ?? []), kind]);
  const message = Array.from(kindsOf, ([level, kinds]) => `${kinds.join(", ")}: ${level}`).join("; ");
  const reasons = refused.map(({ level, reason }) => `${level}: ${reason}`).join("; ");
  if (!kindsOf.has("process")) return well(name, reasons === "" ? message : `${message} (not ${reasons})`);
  const mend = reasons === "" ? "set ATELIER_ISOLATION=auto" : `for a stronger level, mend one of these: ${reasons}`;
  return warning(name, message, `${mend} (docs/ISOLATION.md)`);
}
