// Tells the server how far a fill is, and learns from it who else has the weight that is being fetched.
import type { Background } from "../../foundation/background.ts";
import type { NeighbourAddress } from "./weights/neighbour.ts";

export interface FillServer {
  call(call: {
    readonly method: "GET" | "PUT";
    readonly path: string;
    readonly json?: unknown;
    readonly totalMs: number;
    readonly signal?: AbortSignal;
  }): Promise<unknown>;
  download(path: string): Promise<{ readonly stream: AsyncIterable<Uint8Array> }>;
}

export interface FillReporter {
  bytesTotal: number;
  bytesDone: number;
  has(blake3: string): void;
  want(blake3: string | null): void;
  accuse(workerId: string): void;
  end(state: "filled" | "failed", problem: string | null): void;
  // A neighbour called that we may not know.
  met(workerId: string): void;
  neighbours(): readonly NeighbourAddress[];
  // Reports until the signal fires. A server that is away is asked again.
  run(signal: AbortSignal): Promise<void>;
  // One report now.
  report(): Promise<void>;
}

export interface ReporterDeps {
  readonly server: FillServer;
  readonly background: Background;
  readonly workerId: string;
  readonly poolId: string | null;
  readonly name: string;
  readonly share: { readonly url: string; readonly key: string } | null;
  isUsable(url: string): boolean;
}

const reporting = "fill: report to the server";
const fillingEveryMs = 500;
const filledEveryMs = 15_000;
const reportMs = 10_000;
const weightsMax = 20_000;

export function createFillReporter(deps: ReporterDeps): FillReporter {
  const { server, background, workerId, share } = deps;
  const held = new Set<string>();
  let accused: string[] = [];
  let wanted: string | null = null;
  let state: "filling" | "filled" | "failed" = "filling";
  let problem: string | null = null;
  let isChanged = true;
  let listed: readonly NeighbourAddress[] = [];

  async function report(): Promise<void> {
    const [accuses, hasNews] = [accused, isChanged];
    accused = [];
    isChanged = false;
    const json = {
      pool_id: deps.poolId,
      name: deps.name,
      state,
      bytes_done: self.bytesDone,
      bytes_total: self.bytesTotal,
      problem,
      share,
      ...(hasNews ? { has: [...held].slice(0, weightsMax) } : {}),
      ...(wanted === null ? {} : { wants: wanted }),
      ...(accuses.length > 0 ? { accuses } : {}),
    };
    try {
      const path = `/api/workers/${workerId}/fill`;
      listed = readNeighbours(await server.call({ method: "PUT", path, json, totalMs: reportMs }), deps);
    } catch (thrown) {
      accused = [...accuses, ...accused];
      isChanged ||= hasNews;
      throw thrown;
    }
  }

  const self: FillReporter = {
    bytesTotal: 0,
    bytesDone: 0,
    has(blake3) {
      isChanged ||= !held.has(blake3);
      held.add(blake3);
    },
    want(blake3) {
      wanted = blake3;
      listed = [];
    },
    accuse: (id) => void accused.push(id),
    end(to, why) {
      [state, problem] = [to, why?.slice(0, 500) ?? null];
      background.wake(reporting);
    },
    met(id) {
      if (state === "filling" && !listed.some((each) => each.workerId === id)) background.wake(reporting);
    },
    neighbours: () => listed,
    report,
    run(signal) {
      const everyMs = () => (state === "filling" ? fillingEveryMs : filledEveryMs);
      return background.run({ name: reporting, everyMs, round: report }, signal);
    },
  };
  return self;
}

function readNeighbours(answer: unknown, { isUsable }: ReporterDeps): NeighbourAddress[] {
  const said: unknown = typeof answer === "object" && answer !== null ? Reflect.get(answer, "neighbours") : null;
  if (!Array.isArray(said)) return [];
  return said.flatMap((each: unknown): NeighbourAddress[] => {
    if (typeof each !== "object" || each === null) return [];
    const { worker_id: workerId, name, url, key } = each as Record<string, unknown>;
    const isWhole = [workerId, name, url, key].every((text) => typeof text === "string");
    if (!isWhole || !isUsable(String(url))) return [];
    return [{ workerId: String(workerId), name: String(name), url: String(url), key: String(key) }];
  });
}
