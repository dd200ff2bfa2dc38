// A node class from outside: names, inputs with types, defaults and ranges, outputs. One description serves the validator, the
// conversion of editor graphs and the `object_info` answer. Names and ranges are the application's, so that a graph means the
// same here and there.
export type SocketType =
  | "IMAGE"
  | "MASK"
  | "LATENT"
  | "LATENT_OPERATION"
  | "AUDIO"
  | "VIDEO"
  | "STRING"
  | "INT"
  | "FLOAT"
  | "BOOLEAN"
  | "COMBO"
  | "*";

interface InputCommon {
  readonly name: string;
  readonly optional?: boolean;
  readonly tooltip?: string;
  readonly advanced?: boolean;
  // An input that belongs to certain choices of another one; without such a choice it is ignored. If chosen, even an `optional`
  // input needs a value, unless it may be omitted even then.
  readonly onlyFor?: { readonly input: string; readonly choices: readonly string[]; readonly mayBeAbsent?: boolean };
}

export interface IntInput extends InputCommon {
  readonly type: "INT";
  readonly default: number;
  // A bigint beyond 2⁵³: the maximum of a seed is 2⁶⁴ − 1, exactly.
  readonly min: number | bigint;
  readonly max: number | bigint;
  readonly step?: number;
  // Editors add a widget after it ("fixed", "randomize", …) that is not an input.
  readonly controlAfterGenerate?: boolean | "fixed";
  readonly display?: "color" | "number" | "slider";
}

export interface FloatInput extends InputCommon {
  readonly type: "FLOAT";
  readonly default: number;
  readonly min: number | bigint;
  readonly max: number | bigint;
  // 0 if the application declares none.
  readonly step: number;
  readonly round?: number;
}

export interface StringInput extends InputCommon {
  readonly type: "STRING";
  readonly default: string;
  readonly multiline?: boolean;
  // Editors have no widget for it: only a link can feed it.
  readonly isSocket?: boolean;
}

export interface BooleanInput extends InputCommon {
  readonly type: "BOOLEAN";
  readonly default: boolean;
}

// `options: null` means the names of the caller's files; the host decides whether a name exists.
export interface ComboInput extends InputCommon {
  readonly type: "COMBO";
  readonly options: readonly string[] | null;
  readonly default?: string;
  // Editors show an upload button after it: one more widget.
  readonly upload?: "image" | "audio" | "video";
  readonly folder?: "input" | "output";
}

// A socket: only a link can feed it.
export interface SocketInput extends InputCommon {
  readonly type: "IMAGE" | "MASK" | "LATENT" | "LATENT_OPERATION" | "AUDIO" | "VIDEO" | "*";
  // What a `*` takes, if not everything. Editors see them as one type, joined by commas.
  readonly types?: readonly string[];
}

export type InputDescription = IntInput | FloatInput | StringInput | BooleanInput | ComboInput | SocketInput;

export interface OutputDescription {
  // A SocketType, or one that only certain inputs take: SVG, FILE_3D_GLB …
  readonly type: string;
  readonly name: string;
  readonly tooltip?: string;
  // Passes on several values, one by one.
  readonly isList?: boolean;
}

export interface NodeClassDescription {
  readonly name: string;
  // What editors show; the name if absent.
  readonly displayName?: string;
  readonly category: string;
  readonly description: string;
  readonly inputs: readonly InputDescription[];
  readonly outputs: readonly OutputDescription[];
  // Running a graph means running these and what they need.
  readonly isOutputNode?: boolean;
  // Which hidden values the class receives.
  readonly hidden?: readonly ("PROMPT" | "EXTRA_PNGINFO" | "UNIQUE_ID")[];
  // Takes all values of a list in one run; any other class runs once per value.
  readonly takesLists?: boolean;
  readonly isExperimental?: boolean;
  readonly isDeprecated?: boolean;
  // Inputs that only the application's newer version has, with the value that changes nothing. A graph that sets another value
  // is refused, because it would not get what it asks for.
  readonly laterInputs?: readonly { readonly name: string; readonly harmless: unknown }[];
  // How object_info shows inputs and outputs whose number or kind depends on the graph. The validator uses `inputs`, which lists
  // each by its full name ("images.image0").
  readonly shown?: {
    readonly required: Readonly<
      Record<string, readonly [string | readonly string[], Readonly<Record<string, unknown>>]>
    >;
    readonly optional?: Readonly<
      Record<string, readonly [string | readonly string[], Readonly<Record<string, unknown>>]>
    >;
    readonly output?: readonly string[];
  };
  // Calls the model router: costs credits, and its result is stored under the call's key.
  readonly callsModel?: boolean;
  // Declared for a partner's model, as the application's partner nodes are: editors mark it.
  readonly isPartner?: boolean;
}

export type ClassDescriptions = ReadonlyMap<string, NodeClassDescription>;
