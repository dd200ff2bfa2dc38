// The node classes of an application, from its `object_info`, in four readings: as they are; as editors show them (to
// convert editors' graphs); as far as they can be judged from outside (to refuse a graph at submission); and as
// fingerprints (to pin an environment).
import type { ClassDescriptions, EditorClasses } from "@atelier/engine";

export interface ApplicationClasses {
  // As the application sent it, by class. Integers beyond 2^53 are bigints.
  readonly said: ReadonlyMap<string, unknown>;
  readonly described: ClassDescriptions;
  readonly shown: EditorClasses;
  // If the application may judge with its own code, everything passes; it has the last word when the graph runs.
  readonly judged: ClassDescriptions;
  // The true types of sockets, by class: inputs by name, outputs in order.
  readonly sockets: ReadonlyMap<string, ClassSockets>;
  // Class → inputs that name one of the caller's files.
  readonly fileInputs: ReadonlyMap<string, readonly FileInput[]>;
  // Class → inputs that name a model file, if the lists above do not decide it: a name that is not listed is not on the
  // application's disk.
  readonly modelInputs: ReadonlyMap<string, readonly ModelInput[]>;
  // Class → fingerprint of its inputs, types and outputs, independent of the machine's files and models.
  readonly fingerprints: Readonly<Record<string, string>>;
}

export interface ClassSockets {
  readonly inputs: ReadonlyMap<string, string>;
  readonly outputs: readonly string[];
}

export interface FileInput {
  readonly name: string;
  // The choices its list offered when it was read.
  readonly listed: ReadonlySet<string>;
}

export interface ModelInput {
  readonly name: string;
  readonly listed: readonly string[];
}
