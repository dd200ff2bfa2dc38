// Collects a prompt's results: each file streams from the application into the asset store as soon as its node is done,
// and at the end any that are still missing. A file is one output no matter how often it is reported.
import type { RunOutput } from "../../graph-runs/index.ts";
import { type Application, ApplicationProblem } from "../application.ts";
import type { JsonRecord } from "../line/json-record.ts";
import { locationKey, type NodeOutput, nodeOutputs } from "./node-outputs.ts";

export interface CollectDeps {
  readonly application: Pick<Application, "view">;
  // Resolves once it is stored.
  output(output: RunOutput): Promise<void>;
  readonly signal: AbortSignal;
}

export class OutputMissing extends Error {
  constructor(name: string) {
    super(`The application made ${name} but no longer has it.`);
    this.name = "OutputMissing";
  }
}

export class TooManyOutputs extends Error {
  constructor() {
    super(`The application made more than ${outputsMax} outputs.`);
    this.name = "TooManyOutputs";
  }
}

// Per job. More than this is not results but a flood.
const outputsMax = 10_000;
const nodeIdCharactersMax = 255;

interface Wanted {
  readonly nodeId: string;
  readonly index: number;
  readonly output: NodeOutput;
  isKept: boolean;
  // True if it is in the history, so the job is incomplete without it.
  isFinal: boolean;
}

export class OutputCollector {
  readonly #deps: CollectDeps;
  readonly #wanted = new Map<string, Wanted>();
  readonly #counts = new Map<string, number>();
  #last: Promise<void> = Promise.resolve();
  #broken: { readonly error: unknown } | null = null;
  // The history holds more outputs than allowed.
  #isFlooded = false;

  constructor(deps: CollectDeps) {
    this.#deps = deps;
  }

  // An output that cannot be fetched now is tried again at the end. A report during the run is a hint; `isFinal` makes it
  // definitive.
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

  // The graph is run again within the attempt: its new outputs take the positions of the earlier ones, although the files
  // have other names.
  async again(): Promise<void> {
    await this.settle();
    this.#wanted.clear();
    this.#counts.clear();
    this.#isFlooded = false;
  }

  // Resolves once everything started is finished. Rejects with the store's error.
  async settle(): Promise<void> {
    await this.#last;
    if (this.#broken) throw this.#broken.error;
  }

  // Rejects if an output cannot be fetched: OutputMissing, TooManyOutputs, an ApplicationProblem, or the store's error.
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

  // False if the application does not have it.
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
    // If storing failed because of us, we fetch the file once more.
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

// A file that breaks off is the application's fault, even if the store reports it as something else.
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
