// Which nodes need not run again: same class, same values, same files, and the same for everything they are linked to. As in the
// application, only the results of the latest prompt are remembered.
import { createHash } from "node:crypto";
import { fileReferenceOf, type Graph } from "@atelier/engine";
import { writeExact } from "./exact-json.ts";
import type { UiOutput } from "./history.ts";
import { linkedNodes } from "./node-order.ts";
import { applicationClasses, neverCached } from "./test-classes.ts";

export class ResultMemory {
  readonly #stampOf: (file: string) => string | null;
  #known = new Map<string, UiOutput | null>();

  constructor(stampOf: (file: string) => string | null) {
    this.#stampOf = stampOf;
  }

  // `nodes`: each after what it needs.
  sign(graph: Graph, nodes: readonly string[]): ReadonlyMap<string, string> {
    const signatures = new Map<string, string>();
    for (const id of nodes) {
      const node = graph[id];
      const description = applicationClasses.get(node?.class_type ?? "");
      const hash = createHash("sha256").update(node?.class_type ?? "");
      for (const [name, value] of Object.entries(node?.inputs ?? {}).sort(([one], [other]) => (one < other ? -1 : 1))) {
        const isFile = description?.inputs.some((input) => input.name === name && "options" in input && !input.options);
        const reference = isFile ? fileReferenceOf(value) : null;
        const source = Array.isArray(value) && typeof value[0] === "string" ? signatures.get(value[0]) : undefined;
        const stamp = reference?.kind === "name" ? this.#stampOf(String(value)) : null;
        hash.update(writeExact([name, source === undefined ? value : [source, value], stamp]));
      }
      if (linkedNodes(graph, id).some((from) => signatures.get(from) === "") || neverCached.has(node?.class_type ?? ""))
        signatures.set(id, "");
      else signatures.set(id, hash.digest("hex"));
    }
    return signatures;
  }

  // undefined if unknown; null if known and it shows nothing.
  find(signature: string | undefined): UiOutput | null | undefined {
    return signature ? this.#known.get(signature) : undefined;
  }

  keep(signature: string | undefined, shown: UiOutput | null): void {
    if (signature) this.#known.set(signature, shown);
  }

  forgetAllBut(signatures: Iterable<string>): void {
    const kept = new Map<string, UiOutput | null>();
    for (const signature of signatures) {
      const shown = this.#known.get(signature);
      if (shown !== undefined) kept.set(signature, shown);
    }
    this.#known = kept;
  }

  clear(): void {
    this.#known.clear();
  }
}
