// Which graphs an application can run, by the classes it described.
import type { Graphs } from "../areas/workflows/index.ts";
import type { Application } from "../capabilities/applications/index.ts";

export interface ApplicationGraphsOptions {
  // Whether a graph may name files that lie in the application's own folders: where they all belong to the caller
  // (self-hosted), and nowhere else. Default: only the caller's assets.
  readonly files?: "assets" | "application";
}

export function applicationGraphs(
  application: Pick<Application, "state" | "classes" | "refreshClasses">,
  options: ApplicationGraphsOptions = {},
): Graphs {
  throw new Error(`not laid yet for ${application.state()} ${options.files ?? ""}`);
}
