// The workers of a run: each seat has a process that is restarted whenever it was killed. A process that ends without
// having been struck is itself a finding.
import { setTimeout as sleep } from "node:timers/promises";
import { type ChildProgram, startProgram } from "./child-program.ts";
import type { StrikePoint } from "./strike-points.ts";
import type { WorkerSettings } from "./worker-process.ts";

export interface Workers {
  addresses(): readonly string[];
  // Kills one at the point, or anywhere if it does not pass there in time. Returns where.
  kill(position: number, point: StrikePoint | null): Promise<string>;
  // Stops one; how long depends on where it was hit.
  pause(position: number, point: StrikePoint | null, pauseMsAt: (where: string) => number): Promise<string>;
  // A seat whose worker is running and is not being struck; taken until `free`.
  take(): Promise<number>;
  free(position: number): void;
  // Ends them in an orderly way; returns their exit codes.
  stop(): Promise<(number | null)[]>;
  readonly diedByThemselves: readonly string[];
}

const strikeSecondsMax = 2.5;

interface WorkerSeat {
  program: ChildProgram | null;
  isTaken: boolean;
  isDoomed: boolean;
  restarting: Promise<void>;
}

export async function startWorkers(count: number, settings: WorkerSettings, cacheFolder: string): Promise<Workers> {
  const diedByThemselves: string[] = [];
  let isStopping = false;
  const seats = Array.from(
    { length: count },
    (): WorkerSeat => ({
      program: null,
      isTaken: false,
      isDoomed: false,
      restarting: Promise.resolve(),
    }),
  );

  async function start(seat: WorkerSeat): Promise<void> {
    const program = await startProgram("worker-process.ts", settings, cacheFolder);
    seat.program = program;
    program.process.once("exit", (code, signal) => {
      seat.program = null;
      if (isStopping) return;
      if (!seat.isDoomed) diedByThemselves.push(`ended with ${signal ?? code}\n${program.lastWords()}`);
      seat.isDoomed = false;
      seat.restarting = startAgain(seat);
    });
  }
  // A worker that does not come up is a finding; the run continues with another, or it would wait for ever.
  async function startAgain(seat: WorkerSeat): Promise<void> {
    while (!isStopping) {
      try {
        return await start(seat);
      } catch (error) {
        diedByThemselves.push(String(error));
      }
    }
  }
  await Promise.all(seats.map(start));

  const at = (index: number): WorkerSeat => seats[index] ?? assertNever(index);

  async function strike(program: ChildProgram, point: StrikePoint | null, signal: "SIGKILL" | "SIGSTOP") {
    if (point !== null) {
      const struck = program.struck(strikeSecondsMax);
      program.send({ point, signal });
      const where = await struck;
      if (where !== null) return where;
      program.send({ point: null, signal });
    }
    program.process.kill(signal);
    return "anywhere";
  }

  return {
    diedByThemselves,
    addresses: () => seats.flatMap(({ program }) => (program?.isRunning ? [`http://127.0.0.1:${program.port}`] : [])),
    async kill(index, point) {
      const seat = at(index);
      const { program } = seat;
      if (!program) return "gone";
      seat.isDoomed = true;
      const ended = new Promise((resolve) => program.process.once("exit", resolve));
      const where = await strike(program, point, "SIGKILL");
      await ended;
      return where;
    },
    async pause(index, point, pauseMsAt) {
      const { program } = at(index);
      if (!program) return "gone";
      const where = await strike(program, point, "SIGSTOP");
      await sleep(pauseMsAt(where));
      program.process.kill("SIGCONT");
      return where;
    },
    async take() {
      for (;;) {
        const index = seats.findIndex(({ program, isTaken }) => program !== null && !isTaken);
        if (index !== -1) {
          at(index).isTaken = true;
          return index;
        }
        await sleep(20);
      }
    },
    free(index) {
      at(index).isTaken = false;
    },
    async stop() {
      isStopping = true;
      await Promise.all(seats.map((seat) => seat.restarting.catch(() => undefined)));
      return Promise.all(seats.map(({ program }) => program?.kill("SIGTERM") ?? null));
    },
  };
}

function assertNever(index: number): never {
  throw new RangeError(`There is no worker ${index}.`);
}
