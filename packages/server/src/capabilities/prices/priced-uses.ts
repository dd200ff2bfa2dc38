// Which node classes show which prices: those that definitions name, and our own engine's classes that can call any model of
// the router.
import type { Badge } from "@atelier/contract";
import { builtInClasses } from "@atelier/engine";
import type { Price } from "./price.ts";

// A node class as a definition names it, with the application versions and platforms it applies to.
export interface PricedNode {
  readonly name: string;
  readonly platforms?: readonly ("cloud" | "local")[];
  readonly from_version?: string;
  readonly until_version?: string;
  // Only while the widget has this value.
  readonly when?: { readonly widget: string; readonly is: string };
  // The node's names for the widgets the price reads, if they differ.
  readonly widgets?: Readonly<Record<string, string>>;
}

// One node class that calls one priced thing.
export interface PricedUse {
  // What is paid for: model:… or partner:…
  readonly subject: string;
  readonly price: Price;
  // Shown instead of what the price gives.
  readonly badge?: Badge;
  readonly node: PricedNode;
  // The widgets the node has. If absent, all that the price reads.
  readonly widgets?: ReadonlySet<string>;
  // The node's text widget whose JSON members are added to the input.
  readonly overridden?: string;
  // The type of the widget that chooses. COMBO if absent.
  readonly chooserType?: string;
}

interface PricedPartner {
  readonly definition: { readonly partner: string };
  readonly operations: ReadonlyMap<
    string,
    { readonly operation: { readonly name: string; readonly nodes?: readonly PricedNode[] }; readonly price: Price }
  >;
}

interface PricedModel {
  readonly id: string;
  readonly definition: { readonly nodes?: readonly PricedNode[]; readonly kind?: string };
  readonly price: Price;
}

export function usesOfPartners(partners: Iterable<PricedPartner>): PricedUse[] {
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

// Adds the same prices for node classes that do the same under other names.
export function withOtherNames(
  uses: readonly PricedUse[],
  dialect: { nodeName(name: string): string | undefined } | null,
): PricedUse[] {
  return uses.flatMap((use) => {
    const name = dialect?.nodeName(use.node.name);
    return name === undefined ? [use] : [use, { ...use, node: { ...use.node, name } }];
  });
}

export function usesOfModels(models: readonly PricedModel[]): PricedUse[] {
  return models.flatMap(({ id, definition, price }) => {
    const subject = `model:${id}`;
    const named = (definition.nodes ?? []).map((node) => ({ subject, price, node }));
    // A badge has room for a limited number of models: one that makes no pictures needs none on a node that makes them. The
    // sandbox's few are kept, to try every kind of price on.
    const isPicture =
      definition.kind === undefined || definition.kind === "image" || subject.startsWith("model:sandbox/");
    const ours = (isPicture ? modelClasses : []).map(({ name, widgets, chooserType }) => ({
      ...{ subject, price, widgets, chooserType, overridden: "parameters" },
      node: { name, when: { widget: "model", is: id } },
    }));
    return [...named, ...ours];
  });
}

// The engine's node classes whose widget `model` names a model, and whose `parameters` are added to its input.
const modelClasses = [...builtInClasses.values()]
  .filter(({ callsModel }) => callsModel === true)
  .map(({ name, inputs }) => ({
    name,
    widgets: new Set(inputs.map((input) => input.name)),
    chooserType: inputs.find((input) => input.name === "model")?.type ?? "STRING",
  }));
