// Answers a child's calls with the host's functions. Every input from the host becomes a file, because that is the only way
// bytes reach a child. A failing host fails the node, with a message for the caller.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { JobFolder } from "./child-folder.ts";
import type { AssetContent, EngineFailureCode, EngineHost } from "./engine-host.ts";
import type { ChildCall, HostAnswer } from "./engine-protocol.ts";
import type { FileReference } from "./graph/graph.ts";

// Throw this from a host function to choose the message for the caller; other errors become a generic failure.
export class HostRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = "HostRefusal";
  }
}

export class HostCalls {
  readonly #host: EngineHost;
  readonly #folder: JobFolder;
  readonly #inputBytesMax: number;
  readonly #stop = new AbortController();
  readonly #onFailure: (thrown: unknown) => void;

  constructor(host: EngineHost, folder: JobFolder, inputBytesMax: number, onFailure: (thrown: unknown) => void) {
    this.#host = host;
    this.#folder = folder;
    this.#inputBytesMax = inputBytesMax;
    this.#onFailure = onFailure;
  }

  // The answers are no longer awaited.
  stop(): void {
    this.#stop.abort(new Error("The job has ended."));
  }

  async answer(call: ChildCall): Promise<HostAnswer> {
    try {
      return await this.#answer(call);
    } catch (thrown) {
      if (!this.#stop.signal.aborted && !(thrown instanceof HostRefusal)) this.#onFailure(thrown);
      const { code, message } = failures[call.kind];
      return { kind: "failed", code, message: thrown instanceof HostRefusal ? thrown.message : message };
    }
  }

  async #answer(call: ChildCall): Promise<HostAnswer> {
    const { signal } = this.#stop;
    if (call.kind === "read_asset")
      return this.#keep(call.reference, await this.#host.readAsset(call.reference, signal));
    if (call.kind === "call_model") {
      return { kind: "model", answer: await this.#host.callModel(call.call, signal) };
    }
    const taken = await this.#folder.takeOutput(call.output.path);
    try {
      await this.#host.saveOutput({ ...call.output, ...taken }, signal);
    } finally {
      await this.#folder.drop(taken.path);
    }
    return { kind: "saved" };
  }

  async #keep(reference: FileReference, content: AssetContent): Promise<HostAnswer> {
    if ("path" in content && this.#folder.isOpen)
      return { kind: "asset", path: content.path, hash: content.hash ?? null };
    const { name, file } = this.#folder.newInput();
    if ("bytes" in content) {
      this.#checkSize(content.bytes.byteLength, reference);
      await pipeline(Readable.from([content.bytes]), file);
    } else {
      const stream = "path" in content ? createReadStream(content.path) : content.stream;
      await pipeline(this.#counted(stream, reference), file);
    }
    const hash = content.hash ?? ("bytes" in content ? sha256(content.bytes) : null);
    return { kind: "asset", path: name, hash };
  }

  async *#counted(stream: AsyncIterable<Uint8Array>, reference: FileReference): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const part of stream) {
      bytes += part.byteLength;
      this.#checkSize(bytes, reference);
      yield part;
    }
  }

  #checkSize(bytes: number, reference: FileReference): void {
    if (bytes <= this.#inputBytesMax) return;
    throw new HostRefusal(`The file ${nameOf(reference)} is larger than the ${this.#inputBytesMax} bytes allowed.`);
  }
}

const failures: Readonly<Record<ChildCall["kind"], { readonly code: EngineFailureCode; readonly message: string }>> = {
  read_asset: { code: "asset_unavailable", message: "A file that the graph uses could not be read." },
  call_model: { code: "model_call_failed", message: "The model could not be called." },
  save_output: { code: "output_not_saved", message: "An output could not be saved." },
};

function nameOf(reference: FileReference): string {
  if (reference.kind === "name") return reference.name;
  return reference.kind === "asset" ? (reference.name ?? reference.id) : reference.url;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
