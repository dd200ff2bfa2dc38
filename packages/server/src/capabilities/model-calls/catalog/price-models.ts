// Prices follow definitions: a changed price becomes a new record, and a model is served with the record of its definition.
import type { Database } from "../../../foundation/database/index.ts";
import { type Prices, parseSubject, priceOf, validatePrice } from "../../prices/index.ts";
import type { ServedModel } from "../../providers/index.ts";
import type { CatalogModel } from "./catalog.ts";

export interface PriceModelsDeps {
  readonly database: Pick<Database, "transaction">;
  readonly prices: Pick<Prices, "ensure" | "drop">;
  readonly creditsPerUsd: number;
}

// Empty if the model's price is not valid.
export type PriceModel = (served: ServedModel) => Promise<CatalogModel[]>;

export function priceModels({ database, prices, creditsPerUsd }: PriceModelsDeps): PriceModel {
  const known = new WeakMap<ServedModel, CatalogModel>();
  return async (served) => {
    const ready = known.get(served);
    if (ready) return [ready];
    const price = validatePrice(served.definition.price);
    const subject = parseSubject(`model:${served.id}`);
    if (!price.ok || subject === null) return [];
    const { record } = await database.transaction((tx) =>
      prices.ensure(tx, { subject, definition: price.definition, createdBy: "provider definition" }),
    );
    prices.drop(subject);
    const model = { ...served, price: priceOf(price.definition, creditsPerUsd), priceRecordId: record.id };
    known.set(served, model);
    return [model];
  };
}
