import { operations, type RefusedCredential } from "@atelier/contract";
import type { StoredRefusal } from "../../capabilities/credential-refusals/index.ts";
import type { AdminCaller } from "../../capabilities/tokens/index.ts";
import { type Route, route } from "../../foundation/http/area.ts";
import { freshAnswer } from "./fresh-answer.ts";

export interface RefusedCredentialsDeps {
  listRefusals(hours: number): Promise<readonly StoredRefusal[]>;
}

const shownHours = 7 * 24;

// The name of a setting is for operators only: usage, which workspaces can read, does not contain it.
export function listRefusedCredentialsRoute({ listRefusals }: RefusedCredentialsDeps): Route<AdminCaller> {
  return route(operations.listRefusedCredentials, async () => {
    const refusals = await listRefusals(shownHours);
    const data = refusals.map(
      ({ holder, setting, status, words, times, lastAt }): RefusedCredential => ({
        refused_by: holder,
        setting,
        provider_status: status,
        provider_words: words,
        times,
        last_at: lastAt.toISOString(),
      }),
    );
    return freshAnswer(200, { data });
  });
}
