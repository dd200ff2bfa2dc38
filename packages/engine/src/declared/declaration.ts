// A node class as data: what editors show, which model of the router it calls with which input, and where its outputs are in the
// answer. The host checks declarations when it reads them; this package only interprets them.
import type { InputConfig } from "../graph/describe-classes.ts";

// Inputs in the application's own format: `["INT", {default, min, max}]`, dynamic combos and growing groups included.
export interface DeclaredInputs {
  readonly required?: Readonly<Record<string, InputConfig>>;
  readonly optional?: Readonly<Record<string, InputConfig>>;
}

export type ConditionValue = string | number | boolean;

export interface Condition {
  readonly is?: readonly ConditionValue[];
  readonly not?: readonly ConditionValue[];
  // Whether it has a value. An empty text counts as none.
  readonly given?: boolean;
}

// By input; all must hold.
export type Conditions = Readonly<Record<string, Condition>>;

export interface DeclaredCall {
  // Absent: always.
  readonly when?: Conditions;
  // `{provider}/{model}`
  readonly model: string;
  // The model's input as a template (assemble.ts).
  readonly body: Readonly<Record<string, unknown>>;
}

export const declaredOutputTypes = ["IMAGE", "VIDEO", "AUDIO", "STRING", "SVG", "FILE_3D_GLB"] as const;
export type DeclaredOutputType = (typeof declaredOutputTypes)[number];

export interface DeclaredOutput {
  readonly type: DeclaredOutputType;
  readonly name: string;
  // JSON pointers into the answer; `*` stands for every item of a list. An empty pointer is the whole answer.
  readonly from: readonly string[];
  // Only for STRING: the text if the answer has none. Without it, a missing text fails the node.
  readonly otherwise?: string;
}

// What a class that calls no model says to others: a voice, a style, settings.
export interface DeclaredValue {
  // The socket of the classes that read it, such as ELEVENLABS_VOICE.
  readonly type: string;
  readonly name: string;
  // A template over the class's own inputs (assemble.ts).
  readonly gives: unknown;
}

export interface NodeDeclaration {
  readonly name: string;
  readonly display_name?: string;
  readonly category: string;
  readonly description: string;
  readonly input: DeclaredInputs;
  // Empty beside `values`.
  readonly outputs: readonly DeclaredOutput[];
  // The first whose conditions hold is made. Empty beside `values`.
  readonly calls: readonly DeclaredCall[];
  readonly values?: readonly DeclaredValue[];
  readonly is_deprecated?: boolean;
}

// A declaration that is parsed when it is first read: a server that knows hundreds starts without parsing any.
export interface LazyDeclaration {
  readonly name: string;
  // Whose models it calls.
  readonly provider: string;
  read(): NodeDeclaration;
}
