// The caller, and what every route of this area gets.
import type { Asset, Assets, ContentRequest, OutsideRange } from "../../capabilities/assets/index.ts";
import type { Job, Jobs } from "../../capabilities/jobs/index.ts";
import type { Limits } from "../../capabilities/limits/index.ts";
import type { Templates } from "../../capabilities/templates/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Arrival, BytesAnswer } from "../../foundation/http/area.ts";
import type { PreparedAnswers } from "../../foundation/http/prepared-answers.ts";
import type { WebSockets } from "../../foundation/http/streams/web-sockets.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import type { ApplicationCaller } from "./application-person.ts";
import type { UserFilesDeps } from "./editor/user-files.ts";
import type { PromptsDeps } from "./prompts.ts";
import type { ReadPromptDeps } from "./read-prompt.ts";

export type { ApplicationCaller };

export interface AskedPrompt {
  readonly caller: ApplicationCaller;
  // In the format of POST /api/v2/jobs.
  readonly bytes: Buffer;
  readonly idempotencyKey: string | null;
  readonly maxCredits: bigint | null;
  // The requested nodes. Null for all outputs.
  readonly targets: readonly string[] | null;
  // What saved files carry besides the graph, as JSON. Null for nothing.
  readonly pngInfo: string | null;
}

export interface ApplicationDeps extends PromptsDeps, ReadPromptDeps, UserFilesDeps {
  // Throws unauthorized or forbidden.
  authenticate(arrival: Arrival): ApplicationCaller | Promise<ApplicationCaller>;
  admit(caller: ApplicationCaller): void | Promise<void>;
  // Calls back once when the caller's credential is no longer valid.
  readonly watch?: (caller: ApplicationCaller, lost: () => void) => () => void;
  readonly jobs: PromptsDeps["jobs"] & Pick<Jobs, "watch" | "preview">;
  readonly assets: PromptsDeps["assets"] & Pick<Assets, "receive" | "fromHash" | "find" | "list">;
  // Checks and stores it as v2 does, and throws what v2 throws.
  submit(asked: AskedPrompt): Promise<{ readonly job: Job }>;
  // All node classes, or one. Throws not_found.
  objectInfo(name: string | null): Promise<PreparedAnswers>;
  // The same as descriptions by class, once they are ready.
  classesReady(): Promise<void>;
  classes(): ReadonlyMap<string, unknown>;
  readonly templates: Templates;
  // The version it reports.
  readonly applicationVersion: string;
  content(asset: Asset, request: ContentRequest): Promise<BytesAnswer | OutsideRange>;
  readonly limits: Pick<Limits, "limitOf">;
  // Throws too_many_streams. The returned function releases it.
  takeStream(workspaceId: WorkspaceId): Promise<() => void>;
  // Where the editor has it, with the workspace in braces. If absent, tools have it below /api and without a prefix.
  readonly editorAt?: string;
  // Paths of scripts that the editor loads besides its own.
  readonly extensions?: readonly string[];
  // Whether nothing else is served beside it. False if absent.
  readonly hasRoot?: boolean;
  readonly sockets: WebSockets;
  readonly clock: Clock;
  readonly log: Log;
}
