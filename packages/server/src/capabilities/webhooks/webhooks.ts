// Builds the capability of webhooks: the outbox for areas, the log and the secrets for workspaces, and the background
// work that sends.
import type { Background } from "../../foundation/background.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Database, Queryable } from "../../foundation/database/index.ts";
import { checkTarget, type EgressPolicy, type EgressRefusal } from "../../foundation/http/outgoing/egress-guard.ts";
import { createGuardedClient, type Resolve } from "../../foundation/http/outgoing/guarded-client.ts";
import { publicNameResolver } from "../../foundation/http/outgoing/resolve-public-name.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { createKnownSecrets, type KnownSecrets } from "../../foundation/known-secrets.ts";
import type { Log } from "../../foundation/log.ts";
import type { Audit } from "../audit/index.ts";
import { createSealer, type KeyRing } from "../secrets/index.ts";
import { receiverOf } from "./delivery.ts";
import { createDeliveryLog, type DeliveryLog } from "./delivery-log.ts";
import { type DevelopmentTargets, noDevelopmentTargets } from "./development-targets.ts";
import { Dispatcher } from "./dispatcher.ts";
import { createEndpoints, type Endpoints } from "./endpoints/endpoints.ts";
import { type Addressed, type Notice, noticeBytesMax } from "./notice.ts";
import { insertNotices } from "./outbox-store.ts";
import { bodyToSend } from "./send-delivery.ts";
import { signDelivery } from "./sign-delivery.ts";
import { typedBody } from "./typed-body.ts";
import { createWebhookHousekeeping, type WebhookHousekeeping } from "./webhook-housekeeping.ts";
import { silentMeter, type WebhookMeter } from "./webhook-metrics.ts";
import { createWebhookSecrets, type WebhookSecrets } from "./webhook-secrets.ts";

export interface Webhooks {
  // Null if it may be called. Else what is wrong with it, to follow the field's name in the caller's 400.
  checkUrl(url: string): string | null;
  // The same for the address that an operator gave a deployment.
  checkScaleUrl(url: string): string | null;
  // Runs in the caller's transaction. Many notices are one statement. Returns where they go.
  enqueue(tx: Queryable, notices: readonly Notice[]): Promise<readonly Addressed[]>;
  // A hint, to be called after the commit.
  wake(lanes: readonly Addressed[]): void;
  // The headers for a delivery of another kind, signed over a text that stands for its bytes.
  sign(workspaceId: WorkspaceId, id: string, text: string, at: Date): Promise<Readonly<Record<string, string>>>;
  readonly deliveries: DeliveryLog;
  readonly targets: DevelopmentTargets;
  readonly secrets: WebhookSecrets;
  readonly endpoints: Endpoints;
  // Runs one look and everything that follows from it.
  round(): Promise<void>;
  readonly housekeeping: WebhookHousekeeping;
  // Sends and cleans up until the signal fires; attempts in progress may then finish (15 s at most).
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export interface WebhooksDeps {
  readonly database: Database;
  // Used for lists; defaults to the database.
  readonly lists?: Queryable;
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: Pick<Audit, "append">;
  readonly keyRing: KeyRing;
  readonly policy: EgressPolicy;
  // For scaling signals, whose receivers operators choose. Defaults to the customers' policy.
  readonly scalePolicy?: EgressPolicy;
  readonly targets?: DevelopmentTargets;
  // The User-Agent of deliveries: `Atelier/1.2.3`.
  readonly userAgent: string;
  // Secrets that must not leave. If absent, nothing is redacted.
  readonly known?: Pick<KnownSecrets, "ofWorkspace">;
  readonly keepDays?: number;
  readonly meter?: WebhookMeter;
  readonly resolve?: Resolve;
  readonly random?: () => number;
}

export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { database, clock, log, policy, keyRing } = deps;
  const scalePolicy = deps.scalePolicy ?? policy;
  const resolve = deps.resolve ?? publicNameResolver();
  const client = createGuardedClient({ policy, clock, resolve });
  const scaleClient = createGuardedClient({ policy: scalePolicy, clock, resolve });
  const sealing = { database, clock, sealer: createSealer(keyRing), audit: deps.audit };
  const secrets = createWebhookSecrets(sealing);
  const known = deps.known ?? createKnownSecrets();
  const dispatcher = new Dispatcher({
    database,
    clock,
    log,
    clientFor: ({ type, endpointId }) => (type === scaleType && endpointId === null ? scaleClient : client),
    secrets,
    known,
    meter: deps.meter ?? silentMeter,
    userAgent: deps.userAgent,
    ...(deps.random ? { random: deps.random } : {}),
  });
  const housekeeping = createWebhookHousekeeping({
    database,
    clock,
    keyRing,
    secrets,
    keepDays: deps.keepDays ?? 30,
  });
  return {
    checkUrl: (url) => checkAgainst(url, policy),
    checkScaleUrl: (url) => checkAgainst(url, scalePolicy),
    async enqueue(tx, notices) {
      if (notices.length === 0) return [];
      const now = clock.now();
      const rows = notices.map((notice) => {
        if (notice.body.byteLength > noticeBytesMax)
          throw new RangeError("A notification's body is larger than noticeBytesMax.");
        return {
          ...notice,
          id: newId<"webhook-delivery">(now.getTime()),
          receiver: notice.url === null ? null : receiverOf(notice.url),
          endpointId: null,
          isManual: false,
          body: typedBody(notice.body, notice.type),
        };
      });
      return insertNotices(tx, rows, now);
    },
    wake(lanes) {
      for (const { workspaceId, url } of lanes) dispatcher.wake({ workspaceId, receiver: receiverOf(url) });
    },
    async sign(workspaceId, id, text, at) {
      return { ...signDelivery({ id, body: Buffer.from(text) }, at, await secrets.signing(workspaceId)) };
    },
    deliveries: createDeliveryLog({
      database,
      lists: deps.lists ?? database,
      clock,
      bodyToSend: (delivery) => bodyToSend({ known, secrets }, delivery),
      wake: (lane) => dispatcher.wake(lane, true),
    }),
    targets: deps.targets ?? noDevelopmentTargets,
    secrets,
    endpoints: createEndpoints({ ...sealing, changed: secrets.forget }),
    round: () => dispatcher.round(),
    housekeeping,
    async run(background, signal) {
      await Promise.all([dispatcher.run(background, signal), housekeeping.run(background, signal)]);
      await Promise.all([client.close(), scaleClient.close()]);
    },
  };
}

// The one type of delivery whose receiver an operator chose, unless it is for an endpoint.
const scaleType = "deployment.scale";

function checkAgainst(url: string, policy: EgressPolicy): string | null {
  const verdict = checkTarget(url, policy);
  return verdict.ok ? null : problems[verdict.reason];
}

// Judged by the text of the address alone: nothing was resolved, so it reveals nothing about any network.
const mustBePublic = "must be an https URL of a public host on port 443, without a user name or password";
const problems: Readonly<Record<EgressRefusal, string>> = {
  too_long: "must be at most 2048 characters",
  malformed: "must be a URL",
  scheme: mustBePublic,
  userinfo: mustBePublic,
  port: mustBePublic,
  name: mustBePublic,
  address: mustBePublic,
};
