// The delivery log as its workspace sees it: what was sent where, how it went, and manual redelivery.
import type { Clock } from "../../foundation/clock.ts";
import type { Database, Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import type { FailingReceiver } from "./delivery.ts";
import {
  type Delivery,
  type DeliveryAttempt,
  type DeliveryId,
  type EndpointId,
  type Lane,
  receiverOf,
} from "./delivery.ts";
import type { DeliveryFilter } from "./delivery-store.ts";
import { findDelivery, listAttempts, listDeliveries, listFailingReceivers, queueByHand } from "./delivery-store.ts";
import { insertNotices } from "./outbox-store.ts";

export interface DeliveryQuery extends DeliveryFilter {
  readonly workspaceId: WorkspaceId;
  readonly before: DeliveryId | null;
  readonly limit: number;
}

export interface DeliveryDetail extends Delivery {
  readonly body: Buffer;
  readonly log: readonly DeliveryAttempt[];
}

export interface DeliveryLog {
  // `next` is null on the last page.
  list(query: DeliveryQuery): Promise<{ deliveries: readonly Delivery[]; next: DeliveryId | null }>;
  find(workspaceId: WorkspaceId, id: DeliveryId): Promise<Delivery | null>;
  // Throws not_found, also for another workspace's deliveries.
  get(workspaceId: WorkspaceId, id: DeliveryId): Promise<DeliveryDetail>;
  // Makes one attempt now, under the same id with a new signature. Throws conflict while it is being sent.
  redeliver(workspaceId: WorkspaceId, id: DeliveryId): Promise<Delivery>;
  // Makes one attempt, without a schedule, signed for the endpoint if one is given. The URL has passed checkUrl.
  sendTest(workspaceId: WorkspaceId, url: string, endpointId?: EndpointId): Promise<Delivery>;
  failingReceivers(workspaceId: WorkspaceId): Promise<readonly FailingReceiver[]>;
}

export interface DeliveryLogDeps {
  readonly database: Database;
  readonly lists: Queryable;
  readonly clock: Clock;
  // The body as receivers get it.
  bodyToSend(delivery: { readonly workspaceId: WorkspaceId; readonly body: Buffer }): Promise<Buffer>;
  wake(lane: Lane): void;
}

const testEventType = "webhook.test";

export function createDeliveryLog({ database, lists, clock, bodyToSend, wake }: DeliveryLogDeps): DeliveryLog {
  async function get(workspaceId: WorkspaceId, id: DeliveryId): Promise<DeliveryDetail> {
    const found = await findDelivery(database, { workspaceId, id, now: clock.now() });
    if (found === null) throw notFound();
    const body = await bodyToSend({ workspaceId, body: found.body });
    return { ...found, body, log: await listAttempts(database, { workspaceId, id }) };
  }

  return {
    async list({ workspaceId, before, limit, ...filter }) {
      const query = { workspaceId, filter, before, count: limit + 1, now: clock.now() };
      const found = await listDeliveries(lists, query);
      const deliveries = found.slice(0, limit);
      return { deliveries, next: found.length > limit ? (deliveries.at(-1)?.id ?? null) : null };
    },
    find: (workspaceId, id) => findDelivery(database, { workspaceId, id, now: clock.now() }),
    get,
    async redeliver(workspaceId, id) {
      const queued = await database.transaction((tx) => queueByHand(tx, { workspaceId, id, now: clock.now() }));
      if (queued.kind === "absent") throw notFound();
      if (queued.kind === "no_endpoint")
        throw new Fault("conflict", "The endpoint of this delivery was deleted, so nothing can be sent to it.");
      if (queued.kind === "sending")
        throw new Fault("conflict", "This delivery is being sent right now. Try again in a few seconds.");
      const delivery = await get(workspaceId, id);
      wake({ workspaceId, receiver: receiverOf(queued.url) });
      return delivery;
    },
    async sendTest(workspaceId, url, endpointId) {
      const now = clock.now();
      const id: DeliveryId = newId<"webhook-delivery">(now.getTime());
      const receiver = receiverOf(url);
      const body = Buffer.from(
        JSON.stringify({ type: testEventType, id, sequence: 1, created_at: now.toISOString() }),
        "utf8",
      );
      const row = { id, workspaceId, subjectId: id, sequence: 1, type: testEventType, url, receiver, body };
      await insertNotices(database, [{ ...row, endpointId: endpointId ?? null, isManual: true }], now);
      const delivery = await get(workspaceId, id);
      wake({ workspaceId, receiver });
      return delivery;
    },
    failingReceivers: (workspaceId) => listFailingReceivers(database, workspaceId),
  };
}

function notFound(): Fault {
  return new Fault("not_found", "There is no such delivery.");
}
