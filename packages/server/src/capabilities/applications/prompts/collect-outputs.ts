// Brings a prompt's results home: each file streams from the application into the asset store the moment its node is
// done, and at the end whatever is still missing. One file is one output however often it is told of.
import type { RunOutput } from "../../graph-runs/index.ts";
import { type Application, ApplicationProblem } from "../application.ts";
import type { JsonRecord } from "../line/json-record.ts";
import { locationKey, type NodeOutput, nodeOutputs } from "./node-outputs.ts";

export interface CollectDeps {
  readonly application: Pick<Application, "view">;
  // Resolves when it is kept.
  output(output: RunOutput): Promise<void>;
  readonly signal: AbortSignal;
}

export class OutputMissing extends Error {
  constructor(name: string) {
    super(`The application made ${name} and has it no more.`);
    this.name = "OutputMissing";
  }
}

export class TooManyOutputs extends Error {
  constructor() {
    super(`The application made more than ${outputsMax} outputs.`);
    this.name = "TooManyOutputs";
  }
}

// Of one job. More are no results but a flood.
const outputsMax = 10_000;
const nodeIdCharactersMax = 255;

interface Wanted {
  readonly nodeId: string;
  readonly index: number;
  readonly output: NodeOutput;
  isKept: boolean;
  // It stands in the history: without it the job has not all of its results.
  isFinal: boolean;
}

export class OutputCollector {
  readonly #deps: CollectDeps;
  readonly #wanted = new Map<string, Wanted>();
  readonly #counts = new Map<string, number>();
  #last: Promise<void> = Promise.resolve();
  #broken: { readonly error: unknown } | null = null;
  // The history holds more than there is room for.
  #isFlooded = false;

  constructor(deps: CollectDeps) {
    this.#deps = deps;
  }

  // What cannot be had now is tried again at the end. Told while the graph runs it is a hint, `isFinal` it is the truth.
  take(nodeId: string, output: JsonRecord, isFinal: boolean): void {
    const fresh = this.#note(nodeId, output, isFinal);
    this.#last = this.#last.then(async () => {
      for (const wanted of fresh) {
        if (this.#broken || this.#isFlooded || this.#deps.signal.aborted) return;
        try {
          await this.#keep(wanted);
        } catch (error) {
          if (!(error instanceof ApplicationProblem)) this.#broken = { error };
        }
      }
    });
  }

  // The graph is run anew within the attempt: what it makes now takes the positions of what it made before, though its
  // files have other names.
  async again(): Promise<void> {
    await this.settle();
    this.#wanted.clear();
    this.#counts.clear();
    this.#isFlooded = false;
  }

  // Resolves when what was begun is through. Rejects with what the store said.
  async settle(): Promise<void> {
    await this.#last;
    if (this.#broken) throw this.#broken.error;
  }

  // Rejects when one cannot be had: OutputMissing, TooManyOutputs, an ApplicationProblem, or what the store said.
  async finish(): Promise<void> {
    await this.settle();
    if (this.#isFlooded) throw new TooManyOutputs();
    for (const wanted of this.#wanted.values()) {
      if (wanted.isKept || !wanted.isFinal || (await this.#keep(wanted))) continue;
      if (wanted.output.kind === "file" && !wanted.output.isGuess) throw new OutputMissing(wanted.output.name);
    }
  }

  #note(madeBy: string, output: JsonRecord, isFinal: boolean): Wanted[] {
    const nodeId = madeBy.replaceAll("\0", "").slice(0, nodeIdCharactersMax) || "?";
    return nodeOutputs(output).flatMap((each) => {
      const key = each.kind === "file" ? locationKey(each.location) : JSON.stringify([nodeId, each.name, each.text]);
      const known = this.#wanted.get(key);
      if (known) {
        known.isFinal ||= isFinal;
        return [];
      }
      if (this.#wanted.size >= outputsMax) {
        this.#isFlooded ||= isFinal;
        return [];
      }
      const index = this.#counts.get(nodeId) ?? 0;
      this.#counts.set(nodeId, index + 1);
      const wanted = { nodeId, index, output: each, isKept: false, isFinal };
      this.#wanted.set(key, wanted);
      return [wanted];
    });
  }

  // False: the application does not have it.
  async #keep(wanted: Wanted): Promise<boolean> {
    const { nodeId, index, output } = wanted;
    if (output.kind === "text") {
      const open = () => oneChunk(Buffer.from(output.text, "utf8"));
      await this.#deps.output({ nodeId, index, name: output.name, contentType: "text/plain; charset=utf-8", open });
    } else {
      const file = await this.#deps.application.view(output.location, this.#deps.signal);
      if (file === null) return false;
      const contentType = output.contentType ?? essenceOf(file.contentType) ?? "application/octet-stream";
      const folder = output.location.folder === "temp" ? "temp" : "output";
      await this.#pass({ nodeId, index, name: output.name, contentType, folder }, output.location, file.body);
    }
    wanted.isKept = true;
    return true;
  }

  async #pass(
    output: Omit<RunOutput, "open">,
    location: Parameters<Application["view"]>[0],
    body: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const problems: ApplicationProblem[] = [];
    const { application, signal } = this.#deps;
    let isFirst = true;
    // What the store could not keep for a trouble of ours is asked for once more.
    const open = async () => {
      const again = isFirst ? body : (await application.view(location, signal))?.body;
      isFirst = false;
      if (again === undefined) throw new OutputMissing(output.name);
      return noting(again, (problem) => problems.push(problem));
    };
    try {
      await this.#deps.output({ ...output, open });
    } catch (error) {
      throw problems.at(-1) ?? error;
    }
  }
}

// A file that broke off is the application's fault, however the store words it.
async function* noting(body: AsyncIterable<Uint8Array>, broken: (problem: ApplicationProblem) => void) {
  try {
    yield* body;
  } catch (error) {
    if (error instanceof ApplicationProblem) broken(error);
    throw error;
  }
}

const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

function essenceOf(contentType: string | null): string | null {
  const essence = (contentType?.split(";", 1)[0] ?? "").trim().toLowerCase();
  return mediaType.test(essence) && essence.length <= 100 ? essence : null;
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
