// How this process's children are walled off (ATELIER_ISOLATION), found out by trying while the database opens.
import { resolve } from "node:path";
import { type Isolation, openIsolation } from "@atelier/engine/isolation";
import { UsageProblem } from "../settings.ts";

export interface IsolationSettings {
  readonly isolation: Parameters<typeof openIsolation>[0];
  readonly home: string;
  readonly blobs: string | null;
  readonly secretsFile: string | null;
  readonly secretsFurtherFile: string | null;
}

// The data folder, and what may lie elsewhere, possibly next to programs.
export function hiddenFrom({ home, blobs, secretsFile, secretsFurtherFile }: IsolationSettings): readonly string[] {
  const folder = blobs?.startsWith("file:") ? blobs.slice("file:".length) : null;
  return [home, folder, secretsFile, secretsFurtherFile].flatMap((path) => (path === null ? [] : [resolve(path)]));
}

// Call the result once it is needed: a start that fails before should say why it failed.
export function chooseIsolation(config: IsolationSettings): () => Promise<Isolation> {
  const { isolation: wanted } = config;
  const opening = openIsolation(wanted, hiddenFrom(config));
  return async () => {
    const isolation = await opening;
    if (!("problem" in isolation)) return isolation;
    const why = `ATELIER_ISOLATION is ${wanted}, which does not work here: ${isolation.problem}.`;
    throw new UsageProblem([`${why} Mend that, or set it to auto for the strongest level that works.`]);
  };
}
