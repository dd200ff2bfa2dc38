// How this process's children are walled off (ATELIER_ISOLATION), found out by trying while the database opens.
import { type Isolation, openIsolation } from "@atelier/engine/isolation";
import type { Config } from "../../../config.ts";
import { UsageProblem } from "../../../foundation/settings.ts";

// Call the result once it is needed: a start that fails before should say why it failed.
export function chooseIsolation({ isolation: wanted }: Pick<Config, "isolation">): () => Promise<Isolation> {
  const opening = openIsolation(wanted);
  return async () => {
    const isolation = await opening;
    if (!("problem" in isolation)) return isolation;
    const why = `ATELIER_ISOLATION is ${wanted}, which does not work here: ${isolation.problem}.`;
    throw new UsageProblem([`${why} Mend that, or set it to auto for the strongest level that works.`]);
  };
}
