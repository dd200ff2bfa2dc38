// The descriptions of built-in and declared classes. A declared class is described when it is read: a server that knows
// hundreds starts without describing any.
import type { NodeClassDescription } from "../graph/node-class.ts";
import type { LazyDeclaration } from "./declaration.ts";
import { describeDeclared } from "./describe-declared.ts";

export class DescribedClasses implements ReadonlyMap<string, NodeClassDescription> {
  readonly #builtIn: ReadonlyMap<string, NodeClassDescription>;
  readonly #declared: ReadonlyMap<string, LazyDeclaration>;
  #all: Map<string, NodeClassDescription> | null = null;

  constructor(
    builtIn: ReadonlyMap<string, NodeClassDescription>,
    // None of them has the name of a built-in one.
    declared: ReadonlyMap<string, LazyDeclaration>,
  ) {
    this.#builtIn = builtIn;
    this.#declared = declared;
  }

  get size(): number {
    return this.#builtIn.size + this.#declared.size;
  }

  has(name: string): boolean {
    return this.#builtIn.has(name) || this.#declared.has(name);
  }

  get(name: string): NodeClassDescription | undefined {
    const declaration = this.#declared.get(name);
    return declaration ? describeDeclared(declaration.read()) : this.#builtIn.get(name);
  }

  keys() {
    return new Set([...this.#builtIn.keys(), ...this.#declared.keys()]).keys();
  }

  values() {
    return this.#everyOne().values();
  }

  entries() {
    return this.#everyOne().entries();
  }

  [Symbol.iterator]() {
    return this.entries();
  }

  forEach(look: (value: NodeClassDescription, name: string, map: this) => void): void {
    for (const [name, value] of this.#everyOne()) look(value, name, this);
  }

  #everyOne(): Map<string, NodeClassDescription> {
    this.#all ??= new Map([
      ...this.#builtIn,
      ...Array.from(this.#declared, ([name, each]): [string, NodeClassDescription] => [
        name,
        describeDeclared(each.read()),
      ]),
    ]);
    return this.#all;
  }
}
