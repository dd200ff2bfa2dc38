// Runs a job's graph in an application.
import type { AssetContent, FileReference } from "@atelier/engine";
import type { Clock } from "../../foundation/clock.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import type { GraphRunner } from "../graph-runs/index.ts";
import type { Application } from "./application.ts";

// `name`: the name under which it was uploaded, of which the ending is kept; `hash`: names it in the application.
export type StagedContent = AssetContent & { readonly name?: string };

export interface ApplicationRunnerDeps {
  readonly application: Application;
  // The bytes of an asset of the workspace, by its id or by the name it was given; null when there is none.
  openFile(workspaceId: WorkspaceId, reference: FileReference): Promise<StagedContent | null>;
  // The name of a file that the application has already (a model in its folder, an output of its own, as
  // `sub/file.png [output]`), so that nothing is uploaded; null: it has to be.
  placedName?(workspaceId: WorkspaceId, reference: FileReference): Promise<string | null>;
  readonly clock: Clock;
  readonly log: Log;
  // How long a job waits for an application that is away before this attempt ends. Default 60 s.
  readonly awayMsMax?: number;
  // From the submission to the end of the run; afterwards it is interrupted and fails as timed_out. Default: no bound.
  readonly runMsMax?: number;
}

export function applicationRunner(deps: ApplicationRunnerDeps): GraphRunner {
  throw new Error(`not laid yet for ${deps.application.url}`);
}
