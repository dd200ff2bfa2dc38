import type { Principal } from "../../capabilities/identity/index.ts";
import type { ModelCalls } from "../../capabilities/model-calls/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Cursors } from "../../foundation/cursor.ts";
import type { Arrival } from "../../foundation/http/area.ts";
import type { LinkCallerDeps } from "./link-callers.ts";

export interface ModelRouterDeps extends LinkCallerDeps {
  // Also accepts the keys of links.
  authenticate(arrival: Arrival): Principal | Promise<Principal>;
  admitRate(caller: Principal): void | Promise<void>;
  readonly models: ModelCalls;
  readonly clock: Clock;
  readonly cursors: Cursors;
  readonly baseUrl: () => string;
  readonly bodyBytesMax: number;
  // Null if we may call it. Otherwise what is wrong with it.
  checkWebhookUrl(url: string): string | null;
}
