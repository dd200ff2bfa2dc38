// What the partners share: their tasks, callbacks and faults, and the limits on concurrent work.
import { BoundedStore } from "../http/bounded-store.ts";
import type { SandboxParts } from "../http/call.ts";
import type { KeptFile } from "../http/look-up.ts";
import type { GenerateDeps } from "../models/generate.ts";
import type { RunRecords } from "../models/run-records.ts";
import { type FilmFormat, usualFilmFormat } from "../pictures/film-file.ts";
import { Callbacks } from "./callbacks.ts";
import { FaultDesk } from "./faults.ts";
import { Gate } from "./gate.ts";
import { PartnerTasks } from "./partner-tasks.ts";
import { type PictureReader, pictureReader } from "./picture-source.ts";
import type { PartnerSlug } from "./sandbox-partners.ts";

interface PartnerCredentials {
  // Required in the partner's own header. If absent, the sandbox's credential is required instead.
  readonly key?: string;
  // Signs the callbacks; empty if absent.
  readonly callbackSecret?: string;
}

// Plain data, because it is sent to the sandbox's process.
export interface PartnersOptions {
  readonly "partner-a"?: PartnerCredentials;
  readonly "partner-b"?: PartnerCredentials;
  // The video format; if absent, MP4 if ffmpeg is installed, otherwise animated WebP.
  readonly films?: FilmFormat;
  // The origins on this machine that may be called back and read from, as `http://127.0.0.1:8080`. All of loopback if absent;
  // never anything else.
  readonly origins?: readonly string[];
}

export interface PartnersPace {
  // How long a task is created before it runs, and how long a run takes at least.
  readonly createdSeconds: number;
  readonly toolSeconds: number;
  readonly filmSeconds: number;
  // Before the second attempt of a callback; doubles from there.
  readonly callbackRetrySeconds: number;
}

export interface PartnersDeps extends GenerateDeps {
  readonly runs: RunRecords;
  readonly tasks: PartnerTasks;
  readonly callbacks: Callbacks;
  readonly desk: FaultDesk;
  readonly reader: PictureReader;
  readonly keys: Readonly<Record<PartnerSlug, string | null>>;
  readonly secrets: Readonly<Record<PartnerSlug, string>>;
  readonly films: FilmFormat;
  readonly origins: readonly string[] | null;
  readonly pace: PartnersPace;
  readonly closing: AbortSignal;
  // Decoded pictures are large, so this limits how many are in progress.
  readonly easel: Gate;
  // Bodies of tasks that have not ended.
  readonly load: { bytes: number };
  // The task that each idempotency key already refers to.
  readonly joined: BoundedStore<{ readonly sha256: string; readonly taskId: string }>;
}

const usualPartnersPace: PartnersPace = {
  createdSeconds: 0.8,
  toolSeconds: 3,
  filmSeconds: 6,
  callbackRetrySeconds: 0.5,
};

const atOnceMax = 2;
const joinLimits = { entriesMax: 50_000, bytesMax: 50_000 * 400, keepSeconds: 24 * 3600 };

export function partnersOf(
  sandbox: Pick<SandboxParts, "studio" | "publish" | "runs" | "url"> & {
    readonly files: BoundedStore<KeptFile>;
    readonly closing: AbortSignal;
    readonly credential: string | null;
    readonly pace: Partial<PartnersPace>;
  },
  options: PartnersOptions,
): PartnersDeps {
  const { runs, closing, studio, publish } = sandbox;
  const origins = options.origins ?? null;
  const pace = { ...usualPartnersPace, ...sandbox.pace };
  const keyOf = (slug: PartnerSlug) => options[slug]?.key ?? sandbox.credential;
  const secretOf = (slug: PartnerSlug) => options[slug]?.callbackSecret ?? "";
  return {
    runs,
    studio,
    publish,
    closing,
    origins,
    films: options.films ?? usualFilmFormat(),
    pace,
    tasks: new PartnerTasks(closing),
    callbacks: new Callbacks(closing, pace.callbackRetrySeconds),
    desk: new FaultDesk(),
    reader: pictureReader({ files: sandbox.files, ownUrl: sandbox.url, origins, signal: closing }),
    keys: { "partner-a": keyOf("partner-a"), "partner-b": keyOf("partner-b") },
    secrets: { "partner-a": secretOf("partner-a"), "partner-b": secretOf("partner-b") },
    easel: new Gate(atOnceMax),
    load: { bytes: 0 },
    joined: new BoundedStore(joinLimits),
  };
}
