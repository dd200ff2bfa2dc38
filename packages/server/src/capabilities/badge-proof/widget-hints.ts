// Collects the literals a widget is compared with. They are the options the author had in mind, so they become probes. A
// literal that can never equal a client's value is a mistake, which is found here.
import type { Dependencies } from "./badge-shape.ts";
import type { Literal, Tree } from "./expression-tree.ts";
import { type Finding, failure, warning } from "./finding.ts";
import { anyMember, type Traced } from "./traced-value.ts";
import { asClientsSee, bucketOf } from "./widget-value.ts";

export class WidgetHints {
  readonly values = new Map<string, Set<string | number | boolean>>();
  readonly #types: ReadonlyMap<string, string>;
  readonly #findings: Finding[];

  constructor(widgets: Dependencies["widgets"], findings: Finding[]) {
    this.#types = new Map(widgets.map(({ name, type }) => [name, type]));
    this.#findings = findings;
  }

  compared(traced: Traced | undefined, literals: readonly Literal[], position: number | null): void {
    if (traced?.kind !== "widget") return;
    for (const literal of literals) this.#add(traced.name, literal, position);
  }

  // $lookup(table, widget): the table's keys are the widget's possible values.
  lookedUp(owner: Traced & { kind: "tables" }, wanted: Traced, key: Tree): Traced {
    const keys = owner.pairs.flat().flatMap(([one]) => (one.kind === "literal" ? [one.value] : []));
    this.compared(wanted, keys, key.position);
    return anyMember(owner.pairs);
  }

  #add(widget: string, literal: Literal, position: number | null): void {
    if (literal === null) return;
    const type = this.#types.get(widget) ?? "COMBO";
    if (typeof literal === "string") {
      if (bucketOf(type) !== "text") {
        const message = `Widget "${widget}" is ${type} and never equals the string "${literal}".`;
        this.#findings.push(warning("type_never_matches", message, position));
        return;
      }
      if (asClientsSee(type, literal) !== literal) {
        const message = `Clients trim and lower-case the value of "${widget}", so it never matches "${literal}": write "${literal.trim().toLowerCase()}".`;
        this.#findings.push(failure("literal_never_matches", message, position));
        return;
      }
    }
    const known = this.values.get(widget) ?? new Set();
    this.values.set(widget, known.add(literal));
  }
}
