// Makes a partner of its definition: every operation with the record of its price, and the credentials that belong to its hosts.
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import type { Log } from "../../foundation/log.ts";
import { type Secret, UsageProblem } from "../../foundation/settings.ts";
import { type Prices, parseSubject, priceOf, validatePrice } from "../prices/index.ts";
import { secretWithin } from "../providers/index.ts";
import type { PartnerDefinition } from "./definition.ts";
import { type Partner, type PricedOperation, preparePartner } from "./partner.ts";

// A definition with the secrets that belong to the URL it names.
export interface PlacedDefinition {
  readonly definition: PartnerDefinition;
  readonly secrets: ReadonlyMap<string, Secret>;
}

export interface PricePartnerDeps {
  readonly database: Database;
  readonly prices: Prices;
  readonly clock: Clock;
  readonly log: Log;
  readonly creditsPerUsd: number;
}

// Prices follow definitions: a changed price is a new record, and a task is charged by the record it began with.
export async function pricePartner(deps: PricePartnerDeps, placed: PlacedDefinition): Promise<Partner> {
  const { definition } = placed;
  const { prices, database, creditsPerUsd, clock } = deps;
  const operations: PricedOperation[] = [];
  for (const operation of definition.operations) {
    const price = validatePrice(operation.price);
    const subject = parseSubject(`partner:${definition.partner}/${operation.name}`);
    if (!price.ok || subject === null)
      throw new UsageProblem([`The price of ${definition.partner}/${operation.name} is not valid.`]);
    const { record } = await database.transaction((tx) =>
      prices.ensure(tx, { subject, definition: price.definition, createdBy: "partner definition" }),
    );
    prices.drop(subject);
    operations.push({
      operation,
      price: priceOf(price.definition, creditsPerUsd),
      priceRecordId: record.id,
    });
  }
  return preparePartner({ definition, operations, clock, secretOf: (setting) => secretFor(deps, placed, setting) });
}

function secretFor(
  { log }: PricePartnerDeps,
  { definition, secrets }: PlacedDefinition,
  setting: string,
): Secret | null {
  const hosts = [definition.base_url, definition.ask?.base_url].flatMap((url) => URL.parse(url ?? "")?.host ?? []);
  const { secret, foreign } = secretWithin(secrets, setting, hosts);
  if (foreign !== undefined)
    log.warn({ partner: definition.partner }, `${setting} was not entered for ${foreign}, so it is not sent there`);
  return secret;
}
