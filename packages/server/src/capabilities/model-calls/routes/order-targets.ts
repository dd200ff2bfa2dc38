// Which target of a route is asked first. Pure apart from the figures it is given. Targets whose circuit is open come last, in
// the same order: if all of them fail, they are still asked.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { ProviderHealth } from "../../providers/index.ts";
import type { RouteOfModel } from "../catalog/catalog.ts";

export interface OrderedTarget {
  readonly model: { readonly id: string; readonly provider: string };
  readonly credentialOf: Parameters<ProviderHealth["mayAsk"]>[1];
  readonly hold: bigint;
  readonly weight: number;
}

// Under the rule weight: what each target is owed.
export type RouteTurns = BoundedMap<string, Map<string, number>>;

const routesMax = 1_000;

export const routeTurns = (): RouteTurns => new BoundedMap(routesMax);

export interface OrderDeps {
  readonly health: ProviderHealth;
  readonly turns: RouteTurns;
}

export function orderTargets<Target extends OrderedTarget>(
  { health, turns }: OrderDeps,
  routeId: string,
  rule: RouteOfModel["rule"],
  targets: readonly Target[],
): Target[] {
  if (targets.length < 2) return [...targets];
  const sorted = rule === "weight" ? byWeight(turns, routeId, targets) : [...targets].sort(comparison(health, rule));
  // Only the first may be the one call that tries a half-open circuit.
  const open: Target[] = [];
  const asked: Target[] = [];
  for (const target of sorted) {
    const { provider } = target.model;
    const isAsked =
      asked.length === 0
        ? health.mayAsk(provider, target.credentialOf)
        : health.isClosed(provider, target.credentialOf);
    (isAsked ? asked : open).push(target);
  }
  return [...asked, ...open];
}

function comparison({ ofModel }: Pick<ProviderHealth, "ofModel">, rule: RouteOfModel["rule"]) {
  const figure = ({ model, credentialOf, hold }: OrderedTarget): number => {
    if (rule === "price") return Number(hold);
    const figures = rule === "order" ? null : ofModel(model.id, credentialOf);
    // A target that was never asked goes first, so that it gets figures.
    if (figures === null) return rule === "success" ? -2 : -1;
    return rule === "success" ? -figures.success : (figures.latencyMs ?? Number.MAX_VALUE);
  };
  return (one: OrderedTarget, other: OrderedTarget) => figure(one) - figure(other);
}

// Every call gives each target its weight; the one that is owed most goes first and pays for all of them. So turns are spread
// evenly, without chance.
function byWeight<Target extends OrderedTarget>(
  turns: RouteTurns,
  routeId: string,
  targets: readonly Target[],
): Target[] {
  const owed = turns.get(routeId) ?? new Map<string, number>();
  const keyOf = ({ model, credentialOf }: OrderedTarget) => `${model.id} ${credentialOf ?? ""}`;
  const owedOf = (target: OrderedTarget) => owed.get(keyOf(target)) ?? 0;
  let all = 0;
  for (const target of targets) {
    owed.set(keyOf(target), owedOf(target) + target.weight);
    all += target.weight;
  }
  const sorted = [...targets].sort((one, other) => owedOf(other) - owedOf(one));
  const [first] = sorted;
  if (first) owed.set(keyOf(first), owedOf(first) - all);
  turns.set(routeId, owed);
  return sorted;
}
