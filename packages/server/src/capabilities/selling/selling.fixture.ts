// Shared by the tests of this capability; contains no test itself. The events are written by the provider's public documentation.
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Database, sql } from "../../foundation/database/index.ts";
import { type HandClock, handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import { Secret } from "../../foundation/settings.ts";
import { createAudit } from "../audit/index.ts";
import type { PlanTerms } from "./plan.ts";
import { createSelling, type Selling, type SellingDeps } from "./selling.ts";

export const secret = "whsec_for_the_tests_of_this_capability";
export const bySystem = { actor: { kind: "system" as const, id: null, name: "test" } };

// When the recorded month begins.
export const monthBegins = new Date("2026-09-01T00:00:00.000Z");
export const dayMs = 86_400_000;

export interface Seller {
  readonly selling: Selling;
  readonly clock: HandClock;
  send(event: object | string, changed?: { readonly signature?: string }): ReturnType<Selling["receive"]>;
}

export function aSeller(
  database: Database,
  {
    clock = handClock(new Date(monthBegins.getTime() + 90 * dayMs)),
    ...changed
  }: Partial<SellingDeps> & { clock?: HandClock } = {},
): Seller {
  const selling = createSelling({
    ...{ database, clock, log: silentLog, audit: createAudit({ database }), graceDays: 7 },
    secrets: [new Secret(secret)],
    hasWorkspace: async () => true,
    ...changed,
  });
  return {
    selling,
    clock,
    send(event, { signature } = {}) {
      const bytes = Buffer.from(typeof event === "string" ? event : JSON.stringify(event));
      return selling.receive("stripe", { bytes, signature: signature ?? sign(bytes, clock.now()) });
    },
  };
}

export function sign(bytes: Buffer, at: Date, key = secret): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${createHmac("sha256", key).update(`${seconds}.`).update(bytes).digest("hex")}`;
}

export const studioPlan: PlanTerms = {
  ...{ name: "Studio", kind: "subscription", credits: 1_000_000_000n, priceMinor: 1900n, currency: "eur" },
  ...{ priceId: "price_studio", rollsOver: true, checkoutUrl: "https://payments.example/buy/studio" },
};

export interface RecordedEvent {
  readonly id: string;
  readonly type: string;
}

// A copy of its own for each workspace: other objects, other event ids.
export function recorded(
  name: "month" | "newer-shapes" | "once",
  workspaceId: WorkspaceId,
  copy = workspaceId.slice(-6),
): readonly RecordedEvent[] {
  const path = join(import.meta.dirname, `../../../test/payment-events/stripe-${name}.json`);
  const text = readFileSync(path, "utf8")
    .replaceAll("{{workspace}}", workspaceId)
    .replace(/"(evt|sub|in|ch|pi|cs|cus|dp|inpay|il|si)_([ABC])/g, `"$1_$2${copy}_`);
  return JSON.parse(text);
}

export async function aWorkspace(database: Database): Promise<WorkspaceId> {
  const id = newId<"workspace">();
  await database.execute(sql`insert into workspaces (id, name, created_at) values (${id}, 'Studio', now())`);
  return id;
}

// The same numbers for the same seed.
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
