// The application's own API over the jobs and assets of a workspace, for tools that talk to an application. It is mounted below
// /api, and again without the prefix for tools that know only that form.
import { type Area, type Arrival, area, type Route, routesOf } from "../../foundation/http/area.ts";
import * as about from "./about.route.ts";
import type { ApplicationCaller, ApplicationDeps } from "./application-caller.ts";
import { applicationEnvelope } from "./application-envelope.ts";
import { withoutFrames } from "./application-guards.ts";
import { applicationOperations } from "./application-operations.ts";
import { getApplicationSettingsRoute, settingRoutes } from "./editor/editor-settings.route.ts";
import { EditorSettings } from "./editor/editor-settings.ts";
import { getTemplateFileRoute } from "./editor/template-files.route.ts";
import * as userFiles from "./editor/user-files.route.ts";
import { UserFiles } from "./editor/user-files.ts";
import { listInputFilesRoute, uploadImageRoute, uploadMaskRoute, viewFileRoute } from "./files.route.ts";
import * as history from "./history.route.ts";
import { openPromptSocketRoute } from "./prompt-socket.route.ts";
import { PromptSockets } from "./prompt-sockets.ts";
import * as queue from "./prompts.route.ts";
import { Prompts } from "./prompts.ts";

export interface ApplicationApi {
  readonly areas: readonly Area[];
  // Closes open sockets.
  close(): void;
}

export function applicationApi(deps: ApplicationDeps): ApplicationApi {
  const prompts = new Prompts(deps);
  const sockets = new PromptSockets({ ...deps, prompts });
  const settings = new EditorSettings(deps.editorFiles);
  const own = [
    ...promptRoutes(deps, prompts, sockets, settings),
    ...fileRoutes(deps),
    ...aboutRoutes(deps),
    getApplicationSettingsRoute(settings),
  ];
  const below = [
    ...cloudRoutes(prompts),
    ...about.modelInfoRoutes(deps),
    ...routesOf(new UserFiles(deps), userFiles),
    ...settingRoutes(settings),
  ];
  const mount = (name: string, routes: readonly Route<ApplicationCaller>[], mountPath: string): Area =>
    area<ApplicationCaller>({
      name,
      isOutsideContract: true,
      prefixes: [...new Set(routes.map(({ operation }) => firstSegment(operation.path)))],
      ...(mountPath === "" ? {} : { mountPath }),
      authenticate: (arrival) => deps.authenticate(withQueryToken(deps, arrival, `${mountPath}${socketPath}`)),
      admit: deps.admit,
      ...(deps.watch ? { watch: deps.watch } : {}),
      flowOf: ({ workspaceId }) => workspaceId,
      cors: "listed",
      envelope: applicationEnvelope,
      routes: routes.map(withoutFrames),
    });
  const close = () => sockets.close();
  const whole = [...own, ...below];
  if (deps.editorAt !== undefined) {
    // The editor calls everything below /api, except for these.
    const besideApi = own.filter(({ operation: { path } }) => path === socketPath || path.startsWith("/internal/"));
    const beside = [...besideApi, getTemplateFileRoute(deps), listInputFilesRoute(deps)];
    const { editorAt } = deps;
    const all = [...whole, ...queue.cancelRoutes(prompts)];
    return { areas: [mount("editor-api", all, `${editorAt}/api`), mount("editor-beside", beside, editorAt)], close };
  }
  const areas = [
    mount("application", whole, "/api"),
    mount("application-bare", [...own, ...(deps.hasRoot === true ? [about.getEditorPageRoute()] : [])], ""),
  ];
  return { areas, close };
}

const socketPath = applicationOperations.openPromptSocket.path;
const firstSegment = (path: string) => `/${path.split("/")[1]}`;

// A browser's websocket cannot send headers: only there may the key be in the query.
function withQueryToken({ readKey }: ApplicationDeps, arrival: Arrival, path: string): Arrival {
  const { headers, rawHeaders } = arrival;
  if (arrival.path !== path || headers["x-api-key"] !== undefined || headers.authorization !== undefined)
    return arrival;
  const [token, ...more] = new URLSearchParams(arrival.queryText).getAll("token");
  if (token === undefined || token === "" || more.length > 0) return arrival;
  const { requestId, method, queryText, peer, operation } = arrival;
  const key = readKey(token);
  const given = { headers: { ...headers, "x-api-key": key }, rawHeaders: [...rawHeaders, "x-api-key", key] };
  return { requestId, method, path, queryText, peer, operation, ...given };
}

function promptRoutes(
  deps: ApplicationDeps,
  prompts: Prompts,
  sockets: PromptSockets,
  settings: EditorSettings,
): Route<ApplicationCaller>[] {
  return [
    queue.submitPromptRoute(deps, sockets, settings),
    queue.getPromptInfoRoute(prompts),
    queue.getPromptQueueRoute(prompts),
    queue.changePromptQueueRoute(prompts),
    queue.interruptPromptRoute(prompts),
    history.listHistoryRoute(prompts),
    history.getHistoryRoute(prompts),
    history.changeHistoryRoute(prompts),
    openPromptSocketRoute(deps, sockets),
  ];
}

const fileRoutes = (deps: ApplicationDeps): Route<ApplicationCaller>[] => [
  viewFileRoute(deps),
  uploadImageRoute(deps),
  uploadMaskRoute(deps),
];

const aboutRoutes = (deps: ApplicationDeps): Route<ApplicationCaller>[] => [
  about.getObjectInfoRoute(deps),
  about.getClassInfoRoute(deps),
  about.getSystemStatsRoute(deps),
  about.getFeaturesRoute(),
  about.listEmbeddingsRoute(),
  about.listExtensionsRoute(deps),
  ...about.modelRoutes(deps),
  about.freeMemoryRoute(),
  ...about.emptyRoutes(),
];

const cloudRoutes = (prompts: Prompts): Route<ApplicationCaller>[] => [
  history.listHistoryOfCloudRoute(prompts),
  history.getHistoryOfCloudRoute(prompts),
  history.listPromptJobsRoute(prompts),
  history.getPromptJobRoute(prompts),
  history.getPromptJobStatusRoute(prompts),
  about.getApplicationUserRoute(),
  about.listApplicationUsersRoute(),
];
