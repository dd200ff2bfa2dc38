// What the process passes to the system area.

import type { Operation, Readiness } from "@atelier/contract";
import type { ReleaseNote } from "../../capabilities/release-notes/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Arrival, BytesAnswer } from "../../foundation/http/area.ts";
import type { Guide } from "./guides.ts";

export interface SystemDeps {
  readonly version: string;
  readonly baseUrl: () => string;
  // Computes the proof for a challenge. Absent if no data folder names this process.
  readonly prove?: ((host: string, challenge: string) => string) | undefined;
  readonly look: () => Promise<Readiness>;
  // What people see at /.
  readonly showConsole: (arrival: Pick<Arrival, "headers" | "path">) => Promise<BytesAnswer>;
  // Where people report security problems. Null: nowhere.
  readonly securityContact: string | null;
  readonly clock: Clock;
  // The program's own notes, in Markdown.
  readonly releaseNotes: string;
  // The documents, in Markdown.
  readonly guides: () => Promise<readonly Guide[]>;
  // What this server offers and offered, newest first.
  readonly serverNotes: (count: number) => Promise<readonly ReleaseNote[]>;
  // Every operation that this process mounts besides this area's.
  readonly mounted: readonly Operation[];
}
