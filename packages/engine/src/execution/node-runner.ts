// A runnable node class: its description, and a function from inputs to outputs. It may touch nothing but the context.
import type { ApplicationProfile } from "../application-profile.ts";
import type { EngineOutput, ModelAnswer, ModelCall } from "../engine-host.ts";
import type { FileReference, Graph } from "../graph/graph.ts";
import type { NodeClassDescription } from "../graph/node-class.ts";
import type { Mask, Picture, Value } from "../pictures/picture.ts";
import type { Inputs } from "./inputs.ts";

export interface OutputFile extends Pick<EngineOutput, "name" | "subfolder" | "folder" | "kind" | "contentType"> {
  readonly bytes: Uint8Array;
  readonly animated?: boolean;
}

export interface NodeContext {
  readonly nodeId: string;
  readonly jobId: string;
  readonly graph: Graph;
  readonly pngInfo: Readonly<Record<string, unknown>> | null;
  readonly pixelsMax: number;
  readonly inputBytesMax: number;
  readonly profile: ApplicationProfile;
  // New memory, zeroed and counted. Fails with out_of_memory before anything is allocated.
  floats(count: number, what: string): Float32Array;
  image(batch: number, height: number, width: number, channels: number): Picture;
  mask(batch: number, height: number, width: number): Mask;
  // For memory that something else is about to allocate (a decoder); fails in the same way.
  expect(bytes: number, what: string): void;
  // Call it in every loop that may take long: it reports the step, lets messages in, and throws if the job was canceled.
  breathe(step: number, steps: number): Promise<void>;
  // A local path with the file's bytes.
  file(reference: FileReference): Promise<string>;
  // A path where a tool may write a file. The caller removes it; the end of the job does so at the latest.
  scratch(): string;
  callModel(call: Pick<ModelCall, "model" | "input">): Promise<ModelAnswer>;
  save(file: OutputFile): Promise<void>;
  // The next number for this folder and prefix, from 1, as file names count.
  nextCounter(folder: string, prefix: string, subfolder: string): number;
  // A small picture for people who watch. Most are dropped to keep it cheap; with `always`, none is.
  preview(picture: Picture, always?: boolean): Promise<void>;
  readonly now: () => Date;
}

export interface NodeRunner {
  readonly description: NodeClassDescription;
  // Files whose content decides the result: they are fetched and hashed before we decide what must run again.
  readonly files?: readonly string[];
  // Runs in every job, even if nothing changed: its effect is only visible while the job runs and is not stored.
  readonly runsAlways?: boolean;
  // Distinguishes two definitions of a class with the same name; results are not reused between them.
  readonly version?: string;
  // Share of the progress bar; default 1.
  readonly weight?: number;
  run(inputs: Inputs, context: NodeContext): Value[] | Promise<Value[]>;
}
