// The one connection to an application: a socket under our own client id that is reopened whenever it closes, with events
// passed to the watchers of the prompt they name, and HTTP for everything that counts. A thousand watchers of a job cost
// the application one socket.
import type { Clock } from "../../foundation/clock.ts";
import { newId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import { type Application, ApplicationProblem, type Watcher } from "./application.ts";
import { askAlive, askHistory, askObjectInfo, askQueue, askSubmit, askUpload, askView } from "./application-calls.ts";
import { KnownState } from "./application-state.ts";
import { type ClassCatalog, createClassCatalog } from "./classes/class-catalog.ts";
import { describeApplication, versionOf } from "./classes/describe-application.ts";
import type { KeptClasses } from "./classes/kept-classes.ts";
import { readObjectInfo } from "./classes/read-object-info.ts";
import { type ApplicationHttp, createApplicationHttp } from "./line/application-http.ts";
import { Connection } from "./line/connect-socket.ts";
import { isRecord, numberAt } from "./line/json-record.ts";
import { shareNext } from "./line/share-next.ts";
import { cancelPrompt, removeFromQueue } from "./prompts/cancel-prompt.ts";
import { createWatchers } from "./prompts/prompt-watchers.ts";

export interface OpenApplicationOptions {
  // http or https, without a query.
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  // The id by which the application knows us; events of a prompt go to the id that submitted it. Only one process may use
  // an id at a time. By default it is new, and then prompts of an earlier process are followed by polling.
  readonly clientId?: string;
  // The last known classes, and where to store what is read of them from now on.
  readonly kept?: { readonly objectInfo: unknown; readonly classes: Pick<KeptClasses, "keep"> };
}

const probeEveryMs = 10_000;

export function openApplication(options: OpenApplicationOptions): Application {
  const { clock, log } = options;
  const base = applicationUrl(options.url);
  const clientId = options.clientId ?? newId<"client">();
  const http = createApplicationHttp(base, clock);
  const watchers = createWatchers();
  const closing = new AbortController();
  const classes = classesOf(options, http, closing.signal);
  const state = new KnownState({ origin: base.origin, clock, log, closing: closing.signal });
  let uploadBytesMax: number | null = null;

  const connection = new Connection({
    base,
    clientId,
    clock,
    signal: closing.signal,
    probeEveryMs,
    isAlive: () => askAlive(http),
    onEvent(event) {
      if (event.kind === "features") uploadBytesMax = numberAt(event.features, "max_upload_size");
      else watchers.notify(event);
    },
    onState(next, isSocketOpen) {
      const isNews = isSocketOpen || state.now !== "up";
      state.set(next);
      if (next === "up" && isNews) classes.refresh();
      watchers.notifyConnection(isSocketOpen);
    },
  });

  const readQueue = shareNext(() => askQueue(http));

  return {
    url: base.href,
    state: () => state.now,
    whenUp: (waitMs, signal) => state.whenUp(waitMs, signal),
    classes: classes.newest,
    refreshClasses: classes.refresh,
    describe: () => describeApplication(http, state.modelsLoaded),
    objectInfo: () => askObjectInfo(http),
    async submit(asked) {
      const sinceMs = clock.monotonicMs();
      const answer = await askSubmit(http, { ...asked, clientId });
      if (answer.kind === "accepted") connection.expectWord(sinceMs);
      return answer;
    },
    queue: readQueue,
    history: (promptId) => askHistory(http, promptId),
    cancel: (promptId) => cancelPrompt({ http, queue: readQueue, version: () => askVersion(http) }, promptId),
    removePending: (promptId) => removeFromQueue(http, promptId),
    upload: (file) => askUpload(http, { ...file, bytesMax: uploadBytesMax }),
    view: (location, signal) => askView(http, location, signal),
    isSocketOpen: () => connection.isOpen,
    watch: (promptId: string, watcher: Watcher) => watchers.watch(promptId, watcher),
    noteModels: (names) => state.noteModels(names),
    modelsLoaded: () => state.modelsLoaded,
    async close() {
      closing.abort(new ApplicationProblem("closed", "The connection to the application was closed."));
      await connection.done;
      await http.close();
      // Watchers that are still waiting learn that the connection is gone.
      watchers.notifyConnection(false);
    },
  };
}

function classesOf(
  { clock, log, kept }: OpenApplicationOptions,
  http: ApplicationHttp,
  signal: AbortSignal,
): ClassCatalog {
  return createClassCatalog({
    clock,
    log,
    signal,
    known: readObjectInfo(kept?.objectInfo),
    ask: () => askObjectInfo(http),
    async keep(objectInfo) {
      if (kept === undefined) return;
      const at = clock.now();
      await kept.classes.keep({ objectInfo, version: await askVersion(http).catch(() => null), at });
    },
  });
}

async function askVersion(http: ApplicationHttp): Promise<string | null> {
  const stats = await http.json({ method: "GET", path: "/system_stats" });
  return isRecord(stats) ? versionOf(stats) : null;
}

// Throws a TypeError, because the address comes from the operator.
export function applicationUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (url === null || !isWeb || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "")
    throw new TypeError("The application's address must be an http URL such as http://127.0.0.1:8188.");
  return url;
}
