// Webhooks, put together: the outbox for areas, the log and the secrets for workspaces, and the work that sends.
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
import { type Notice, noticeBytesMax } from "./notice.ts";
import { insertNotices } from "./outbox-store.ts";
import { bodyToSend } from "./send-delivery.ts";
import { signDelivery } from "./sign-delivery.ts";
import { typedBody } from "./typed-body.ts";
import { createWebhookHousekeeping, type WebhookHousekeeping } from "./webhook-housekeeping.ts";
import { silentMeter, type WebhookMeter } from "./webhook-metrics.ts";
import { createWebhookSecrets, type WebhookSecrets } from "./webhook-secrets.ts";

export interface Webhooks {
  // Null: may be called. Else what is wrong with it, to stand behind the field's name in the caller's 400.
  checkUrl(url: string): string | null;
  // The same for the address that an operator gave a deployment.
  checkScaleUrl(url: string): string | null;
  // In the caller's transaction. Many at once are one statement.
  enqueue(tx: Queryable, notices: readonly Notice[]): Promise<void>;
  // A hint, after the commit.
  wake(lanes: readonly { readonly workspaceId: WorkspaceId; readonly url: string }[]): void;
  // The headers of a delivery of another kind, over a text that stands for its bytes.
  sign(workspaceId: WorkspaceId, id: string, text: string, at: Date): Promise<Readonly<Record<string, string>>>;
  readonly deliveries: DeliveryLog;
  readonly targets: DevelopmentTargets;
  readonly secrets: WebhookSecrets;
  // One look and everything it leads to.
  round(): Promise<void>;
  readonly housekeeping: WebhookHousekeeping;
  // Sends and keeps house until the signal fires; what is being sent then may end (15 s at most).
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export interface WebhooksDeps {
  readonly database: Database;
  // Where lists are read; the database if absent.
  readonly lists?: Queryable;
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: Pick<Audit, "append">;
  readonly keyRing: KeyRing;
  readonly policy: EgressPolicy;
  // For scaling signals, whose receivers operators choose; as for customers if absent.
  readonly scalePolicy?: EgressPolicy;
  readonly targets?: DevelopmentTargets;
  // How deliveries introduce themselves: `Atelier/1.2.3`.
  readonly userAgent: string;
  // What must not leave; nothing is searched for if absent.
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
  const secrets = createWebhookSecrets({ database, clock, sealer: createSealer(keyRing), audit: deps.audit });
  const known = deps.known ?? createKnownSecrets();
  const dispatcher = new Dispatcher({
    database,
    clock,
    log,
    clientFor: (type) => (type === scaleType ? scaleClient : client),
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
    checkUrl: (url) => problemOfUrl(url, policy),
    checkScaleUrl: (url) => problemOfUrl(url, scalePolicy),
    async enqueue(tx, notices) {
      if (notices.length === 0) return;
      const now = clock.now();
      const rows = notices.map((notice) => {
        if (notice.body.byteLength > noticeBytesMax) throw new RangeError("A notice's body is above noticeBytesMax.");
        return {
          ...notice,
          id: newId<"webhook-delivery">(now.getTime()),
          receiver: receiverOf(notice.url),
          isManual: false,
          body: typedBody(notice.body, notice.type),
        };
      });
      await insertNotices(tx, rows, now);
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
    round: () => dispatcher.round(),
    housekeeping,
    async run(background, signal) {
      await Promise.all([dispatcher.run(background, signal), housekeeping.run(background, signal)]);
      await Promise.all([client.close(), scaleClient.close()]);
    },
  };
}

// The one type of delivery whose receiver an operator chose.
const scaleType = "deployment.scale";

function problemOfUrl(url: string, policy: EgressPolicy): string | null {
  const verdict = checkTarget(url, policy);
  return verdict.ok ? null : problems[verdict.reason];
}

// By the text of the address alone: nothing was resolved, so nothing is told about any network.
const mustBePublic = "must be an https URL of a public host, without a name or password in it, on port 443";
const problems: Readonly<Record<EgressRefusal, string>> = {
  too_long: "must be at most 2048 characters",
  malformed: "must be a URL",
  scheme: mustBePublic,
  userinfo: mustBePublic,
  port: mustBePublic,
  name: mustBePublic,
  address: mustBePublic,
};
