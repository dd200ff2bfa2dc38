// A node class that can run: its description, and a function from inputs to outputs. The context is all it may touch.
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
  // New memory, zero-filled and counted. Refused with out_of_memory before anything is allocated.
  floats(count: number, what: string): Float32Array;
  image(batch: number, height: number, width: number, channels: number): Picture;
  mask(batch: number, height: number, width: number): Mask;
  // Memory that something else is about to take (a decoder): refused in the same way.
  expect(bytes: number, what: string): void;
  // Call it in every loop that may last: it reports the step, lets messages in, and throws when the job was canceled.
  breathe(step: number, steps: number): Promise<void>;
  // A local path with the file's bytes.
  file(reference: FileReference): Promise<string>;
  // A path of the job's own where a tool may put a file; the caller removes it, and the job's end does at the latest.
  scratch(): string;
  callModel(call: Pick<ModelCall, "model" | "input">): Promise<ModelAnswer>;
  save(file: OutputFile): Promise<void>;
  // A number per folder and prefix, from 1, as file names count.
  nextCounter(folder: string, prefix: string, subfolder: string): number;
  // A small picture for watchers; most are left out, so that watching costs little. `always`: none is.
  preview(picture: Picture, always?: boolean): Promise<void>;
  readonly now: () => Date;
}

export interface NodeRunner {
  readonly description: NodeClassDescription;
  // Files whose content decides the result: they are fetched and hashed before it is decided what must run again.
  readonly files?: readonly string[];
  // Runs in every job, also when nothing changed: what it does is seen while the job runs and kept nowhere.
  readonly runsAlways?: boolean;
  // Share of the progress bar; default 1.
  readonly weight?: number;
  run(inputs: Inputs, context: NodeContext): Value[] | Promise<Value[]>;
}
