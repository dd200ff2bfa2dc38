// Credentials that were rejected in the last day: older refusals were fixed, or the credential is no longer used.
import type { Queryable } from "../../foundation/database/index.ts";
import { type Finding, warning, well } from "../../foundation/looks/finding.ts";
import { listRefusals } from "./refusal-store.ts";

// A running server has credentials stored in it, which take effect without a restart, so its advice differs from doctor's.
export async function lookAtRefusals(database: Queryable, by: "doctor" | "server"): Promise<Finding[]> {
  const refused = await listRefusals(database, 24);
  if (refused.length === 0) return [well("credentials", "none rejected in the last day")];
  return refused.map(({ holder, setting, status, words, lastAt }) => {
    const what = `${holder} rejected ${setting}: ${status}${words === null ? "" : ` "${words}"`}`;
    return by === "server"
      ? warning("credentials", what, `set ${setting} to a valid credential, or check the account there`)
      : warning(
          "credentials",
          `${what}, last at ${lastAt.toISOString()}`,
          `check the account there, or replace the credential: set ${setting} and restart, or, if it was entered in the console or with PUT /admin/providers/${holder}/credential, replace it there without a restart`,
        );
  });
}
