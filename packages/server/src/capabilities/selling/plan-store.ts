import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import type { Plan, PlanId, PlanTerms, ProviderName } from "./plan.ts";

// False if a plan has this price already.
export async function insertPlan(tx: Queryable, plan: Plan): Promise<boolean> {
  const { id, provider, name, kind, credits, priceMinor, currency, priceId, rollsOver, checkoutUrl, createdAt } = plan;
  const inserted = await tx.execute(sql`
    insert into payment_plans (${columns})
    values (${id}, ${name}, ${kind}, ${String(credits)}::bigint, ${String(priceMinor)}::bigint, ${currency}, ${provider},
            ${priceId}, ${rollsOver}, ${checkoutUrl}, ${createdAt}, null)
    on conflict (provider, price_id) do nothing`);
  return inserted === 1;
}

export async function updatePlan(tx: Queryable, plan: Pick<Plan, "id" | "retiredAt"> & PlanTerms): Promise<void> {
  await tx.execute(sql`
    update payment_plans set name = ${plan.name}, credits = ${String(plan.credits)}::bigint,
      price_minor = ${String(plan.priceMinor)}::bigint, currency = ${plan.currency}, rolls_over = ${plan.rollsOver},
      checkout_url = ${plan.checkoutUrl}, retired_at = ${plan.retiredAt}
    where id = ${plan.id}`);
}

export async function lockPlan(tx: Queryable, id: PlanId): Promise<Plan | null> {
  const [row] = await tx.query<Row>(sql`select ${columns} from payment_plans where id = ${id} for update`);
  return row ? toPlan(row) : null;
}

export async function listPlans(db: Queryable): Promise<Plan[]> {
  const rows = await db.query<Row>(sql`select ${columns} from payment_plans order by price_minor, id`);
  return rows.map(toPlan);
}

export async function findPlansByPrice(
  db: Queryable,
  provider: ProviderName,
  prices: readonly string[],
): Promise<ReadonlyMap<string, Plan>> {
  const rows = await db.query<Row>(sql`
    select ${columns} from payment_plans where provider = ${provider} and price_id = any (${prices}::text[])`);
  return new Map(rows.map((row) => [row.price_id, toPlan(row)]));
}

const columns = sql`id, name, kind, credits, price_minor, currency, provider, price_id, rolls_over, checkout_url, created_at, retired_at`;

interface PlainPlan extends Omit<Plan, "credits" | "priceMinor"> {
  readonly credits: string;
  readonly priceMinor: string;
}
type Row = RowOf<PlainPlan>;

function toPlan(row: Row): Plan {
  const { credits, priceMinor, ...rest } = fromRow<PlainPlan>(row);
  return { ...rest, credits: BigInt(credits), priceMinor: BigInt(priceMinor) };
}
