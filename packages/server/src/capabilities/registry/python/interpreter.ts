// The parts of the reader call each other through this: expressions contain calls, calls run bodies, bodies contain
// expressions. Everything it does is counted, so that code which never ends is read to a fixed point and no further.
import type { SyntaxNode } from "./syntax.ts";
import type { ModuleState, Scope, Unknown, Value } from "./value.ts";

export interface Given {
  readonly args: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
  // Set if arguments could not be read.
  readonly open: Value | null;
}

// Where in the pack something is.
export interface Position {
  readonly module: ModuleState;
  readonly node: SyntaxNode;
}

export type Signal =
  | { readonly kind: "return"; readonly value: Value }
  | { readonly kind: "break" | "continue" | "raise" };

export interface Interpreter {
  evaluate(node: SyntaxNode | undefined, scope: Scope): Value;
  call(callee: Value, given: Given, at: Position): Value;
  runBody(statements: readonly SyntaxNode[], scope: Scope): Signal | null;
  attribute(of: Value, name: string, at: Position): Value;
  readArguments(node: SyntaxNode, scope: Scope): Given;
  assign(target: SyntaxNode, value: Value, scope: Scope): void;
  // A module of the pack by its dotted name, run once. Null if the pack has none of that name.
  importModule(name: string): ModuleState | null;
  moduleOfFile(path: string): ModuleState | null;
  // Absolute imports look there too.
  addRoot(folder: string): void;
  // Names of files below a folder of the pack.
  readonly files: readonly string[];
  spend(steps: number): void;
  // How many steps may follow from here.
  allow(steps: number): void;
  unknown(why: string, at: Position): Unknown;
}

export class OutOfSteps extends Error {}
