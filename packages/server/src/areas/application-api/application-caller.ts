// Who calls, and what every route of this area is given.
import type { Asset, Assets, ContentRequest, OutsideRange } from "../../capabilities/assets/index.ts";
import type { Job, Jobs } from "../../capabilities/jobs/index.ts";
import type { Limits } from "../../capabilities/limits/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Arrival, BytesAnswer } from "../../foundation/http/area.ts";
import type { PreparedAnswers } from "../../foundation/http/prepared-answers.ts";
import type { WebSockets } from "../../foundation/http/streams/web-sockets.ts";
import type { KeyId, WorkspaceId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import type { PromptsDeps } from "./prompts.ts";
import type { ReadPromptDeps } from "./read-prompt.ts";

export interface ApplicationCaller {
  readonly workspaceId: WorkspaceId;
  // Null where no key was used.
  readonly keyId: KeyId | null;
}

export interface AskedPrompt {
  readonly caller: ApplicationCaller;
  // As POST /api/v2/jobs takes it.
  readonly bytes: Buffer;
  readonly idempotencyKey: string | null;
  readonly maxCredits: bigint | null;
  // The nodes that are asked for; null: all outputs.
  readonly targets: readonly string[] | null;
  // What saved files carry besides the graph, as JSON; null: nothing.
  readonly pngInfo: string | null;
}

export interface ApplicationDeps extends PromptsDeps, ReadPromptDeps {
  // Throws unauthorized or forbidden.
  authenticate(arrival: Arrival): ApplicationCaller | Promise<ApplicationCaller>;
  admit(caller: ApplicationCaller): void | Promise<void>;
  // Calls back once when the caller's credential is not good any more.
  readonly watch?: (caller: ApplicationCaller, lost: () => void) => () => void;
  readonly jobs: PromptsDeps["jobs"] & Pick<Jobs, "watch" | "preview">;
  readonly assets: PromptsDeps["assets"] & Pick<Assets, "receive" | "fromHash" | "find">;
  // Checks and stores it as v2 does. Throws what v2 throws.
  submit(asked: AskedPrompt): Promise<{ readonly job: Job }>;
  // All node classes, or one; throws not_found.
  objectInfo(name: string | null): Promise<PreparedAnswers>;
  // What it says it is.
  readonly applicationVersion: string;
  content(asset: Asset, request: ContentRequest): Promise<BytesAnswer | OutsideRange>;
  readonly limits: Pick<Limits, "limitOf">;
  // Throws too_many_streams. The function returned gives it back.
  takeStream(workspaceId: WorkspaceId): Promise<() => void>;
  // Nothing else is served beside it; absent: something is.
  readonly hasRoot?: boolean;
  readonly sockets: WebSockets;
  readonly clock: Clock;
  readonly log: Log;
}
