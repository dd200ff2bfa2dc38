// Whether payments brought what was paid for.
import { type Finding, problem, warning, well } from "../../foundation/looks/finding.ts";
import type { Selling } from "./selling.ts";

export async function lookAtPayments(selling: Pick<Selling, "look">): Promise<readonly Finding[]> {
  const { plans, waiting, late, lastEventAt } = await selling.look();
  const found: Finding[] = [];
  if (late > 0) found.push(problem("payments", `${late} events could not be applied`, "see the server's log"));
  if (waiting > 0)
    found.push(warning("payments", `${waiting} payments brought no credits yet`, "run: atelier payments ls --waiting"));
  if (plans === 0) found.push(warning("payments", "no plan is sold", "run: atelier plans create"));
  if (found.length > 0) return found;
  const last = lastEventAt === null ? "no event yet" : `last event ${lastEventAt.toISOString()}`;
  return [well("payments", `${plans} plans, ${last}`)];
}
