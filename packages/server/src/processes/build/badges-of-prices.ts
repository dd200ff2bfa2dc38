// Which node classes show which prices: what definitions name, and the node classes of our own engine that call any model
// of the router. The badges are made anew whenever prices change, before the one who changed them is answered.
import { builtInClasses } from "@atelier/engine";
import { type BadgeMaps, type PricedUse, pricedRows } from "../../areas/price-badges/index.ts";
import type { CatalogModel } from "../../capabilities/model-calls/index.ts";
import type { Partner } from "../../capabilities/partners/index.ts";
import type { Log } from "../../foundation/log.ts";
import type { Dialect } from "../../surfaces/dialect/index.ts";

export interface BadgesOfPrices {
  follow(source: "models" | "partners", uses: readonly PricedUse[]): Promise<void>;
}

export function badgesOfPrices(deps: { maps: Pick<BadgeMaps, "follow">; log: Log }): BadgesOfPrices {
  const bySource = new Map<string, readonly PricedUse[]>();
  const told = new Set<string>();
  return {
    async follow(source, uses) {
      bySource.set(source, uses);
      const { rows, problems } = pricedRows([...bySource.values()].flat());
      for (const problem of problems) {
        if (!told.has(problem)) deps.log.warn({}, `price badges: ${problem}`);
        told.add(problem);
      }
      // Prices count all the same; the next look of the map mends it.
      await deps.maps
        .follow(rows)
        .catch((err: unknown) => deps.log.warn({ err }, "price badges do not show the newest prices yet"));
    },
  };
}

export function usesOfPartners(partners: Iterable<Partner>): PricedUse[] {
  return [...partners].flatMap(({ definition, operations }) =>
    [...operations.values()].flatMap(({ operation, price }) =>
      (operation.nodes ?? []).map((node) => ({
        subject: `partner:${definition.partner}/${operation.name}`,
        price,
        node,
      })),
    ),
  );
}

// The same prices for the node classes of other names that ask for the same.
export function withOtherNames(uses: readonly PricedUse[], dialect: Pick<Dialect, "nodeName"> | null): PricedUse[] {
  return uses.flatMap((use) => {
    const name = dialect?.nodeName(use.node.name);
    return name === undefined ? [use] : [use, { ...use, node: { ...use.node, name } }];
  });
}

export function usesOfModels(models: readonly CatalogModel[]): PricedUse[] {
  return models.flatMap(({ id, definition, price }) => {
    const subject = `model:${id}`;
    const named = (definition.nodes ?? []).map((node) => ({ subject, price, node }));
    const ours = modelClasses.map(({ name, widgets, chooserType }) => ({
      ...{ subject, price, widgets, chooserType, overridden: "parameters" },
      node: { name, when: { widget: "model", is: id } },
    }));
    return [...named, ...ours];
  });
}

// Node classes of the engine whose widget `model` names a model, and whose `parameters` are added to its input.
const modelClasses = [...builtInClasses.values()]
  .filter(({ callsModel }) => callsModel === true)
  .map(({ name, inputs }) => ({
    name,
    widgets: new Set(inputs.map((input) => input.name)),
    chooserType: inputs.find((input) => input.name === "model")?.type ?? "STRING",
  }));
