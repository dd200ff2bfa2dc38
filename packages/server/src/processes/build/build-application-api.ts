// The application's own API on the managed surface (decisions, section 9). Available only with the dialect. Tools that send no
// credential can get a listener on this machine that acts with one key.
import { applicationVersions } from "@atelier/engine";
import { type ApplicationDeps, applicationApi, withFileMarks } from "../../areas/application-api/index.ts";
import { type BadgeMaps, parseAppVersion } from "../../areas/price-badges/index.ts";
import { createClassAnswers, type Surface, submitJob, type WorkflowWork } from "../../areas/workflows/index.ts";
import type { Assets } from "../../capabilities/assets/index.ts";
import type { EditorFiles } from "../../capabilities/editor-files/index.ts";
import type { Graphs } from "../../capabilities/graphs/index.ts";
import type { Limits } from "../../capabilities/limits/index.ts";
import { editorBadges } from "../../capabilities/prices/index.ts";
import type { SavedWorkflows } from "../../capabilities/saved-workflows/index.ts";
import { openTemplates, templateFolders } from "../../capabilities/templates/index.ts";
import type { Admission } from "../../foundation/http/admission/admission.ts";
import type { Area } from "../../foundation/http/area.ts";
import { hostsOf, loopbackNames } from "../../foundation/http/loopback-guard.ts";
import { serveOnLoopback } from "../../foundation/http/loopback-listeners.ts";
import { peerReader } from "../../foundation/http/peer-address.ts";
import { loadWebSockets } from "../../foundation/http/streams/web-sockets.ts";
import type { Metrics } from "../../foundation/metrics.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { ourKey, speaksComfy, withPortKey } from "../../surfaces/dialect/index.ts";
import { drainSecondsLeft, drainSecondsOf } from "../drain-seconds.ts";
import { hasRole } from "../roles.ts";
import { listening } from "./open/listening.ts";
import type { ProcessDeps } from "./process-deps.ts";

export interface ApplicationApiDeps extends ProcessDeps {
  readonly metrics: Metrics;
  readonly admission: Admission;
  readonly surface: Surface;
  readonly assets: Assets;
  readonly limits: Pick<Limits, "limitOf">;
  readonly work: WorkflowWork;
  readonly badges: Pick<BadgeMaps, "current">;
  readonly savedWorkflows: SavedWorkflows;
  readonly editorFiles: EditorFiles;
}

export interface BuiltApplicationApi {
  // With the dialect: for tools.
  readonly areas: readonly Area[];
  // For the editor, with or without the dialect. Without the package for websockets there is none.
  forEditor(editor: EditorOfMembers): readonly Area[];
}

export interface EditorOfMembers extends Pick<ApplicationDeps, "authenticate"> {
  readonly extensions: readonly string[];
}

export async function buildApplicationApi(deps: ApplicationApiDeps): Promise<BuiltApplicationApi> {
  const given = await applicationDeps(deps);
  return {
    areas: given === null ? [] : await forTools(deps, given),
    forEditor: (editor) => (given === null ? [] : forEditor(deps, given, editor)),
  };
}

async function forTools(deps: ApplicationApiDeps, given: Given): Promise<readonly Area[]> {
  const { config, life, surface } = deps;
  if (!speaksComfy(config.dialect)) {
    if (config.applicationApiPort !== null)
      deps.log.warn(
        { port: config.applicationApiPort },
        "ATELIER_APPLICATION_API_PORT has no effect: the application's API needs ATELIER_DIALECT=comfy",
      );
    return [];
  }
  if (config.applicationApiPort !== null && hasRole(config, "gateway")) {
    if (config.applicationApiKey === null)
      throw new UsageProblem(["ATELIER_APPLICATION_API_PORT needs an API key: set ATELIER_APPLICATION_API_KEY."]);
    await listen(deps, given, ourKey(config.applicationApiKey.reveal()));
  }
  const api = applicationApi({ ...given, content: surface.content });
  life.onStop("websockets", () => api.close());
  return api.areas;
}

type Given = Omit<ApplicationDeps, "content">;

// What a browser may do with bytes of this origin: show and read them. As a page, a script or a frame, bytes that people made
// come from the content origin only (decision 0011).
const shownAs: ReadonlySet<string> = new Set(["image", "video", "audio", "track", "empty"]);

function forEditor(
  { surface, assets, life }: ApplicationApiDeps,
  given: Given,
  editor: EditorOfMembers,
): readonly Area[] {
  const rules = { cacheControl: "private, no-cache", asAttachment: false };
  const api = applicationApi({
    ...given,
    ...editor,
    editorAt: "/editor/{workspace}",
    content: async (asset, request) =>
      shownAs.has(String(request.headers["sec-fetch-dest"] ?? "empty"))
        ? assets.content(asset, request, rules)
        : surface.content(asset, request),
  });
  life.onStop("websockets of editors", () => api.close());
  return api.areas;
}

async function applicationDeps(deps: ApplicationApiDeps): Promise<Given | null> {
  const sockets = await loadWebSockets().catch((err: unknown) => {
    if (deps.config.dialect === "comfy") throw err;
    deps.log.info({ err }, "there is no editor: the package for websockets is not installed");
    return null;
  });
  if (sockets === null) return null;
  const { surface, work, clock, config } = deps;
  const version = applicationVersions[config.applicationProfile];
  const texts = () => deps.badges.current().texts(parseAppVersion(version), "cloud");
  const classes = createClassAnswers({
    ...work,
    surface,
    clock,
    badges: editorBadges(texts, config.creditsPerUsd),
    redescribe: (name, description) => withFileMarks(description, work.graphs.fileInputs(name)),
  });
  return {
    ...work,
    assets: deps.assets,
    limits: deps.limits,
    savedWorkflows: deps.savedWorkflows,
    editorFiles: deps.editorFiles,
    clock,
    log: deps.log,
    poolId: surface.poolId,
    authenticate: surface.authenticate,
    admit: surface.admit,
    ...(surface.watch ? { watch: surface.watch } : {}),
    readKey: ourKey,
    submit: (asked) => submitJob({ ...deps, ...work }, asked),
    objectInfo: (name) =>
      name === null ? classes.objectInfo({ q: "", category: "" }) : classes.one(name, "object_info"),
    classesReady: async () => work.graphs.ready?.(),
    classes: () => work.graphs.classes().descriptions,
    templates: openTemplates(templateFolders(config.home, config.templates), deps.log),
    applicationVersion: version,
    isOutputNode: (classType) => isOutputNode(work.graphs, classType),
    takeStream: (workspaceId) => work.streamQuota.take(workspaceId),
    sockets,
  };
}

function isOutputNode(graphs: Graphs, classType: string): boolean {
  const description = graphs.classes().descriptions.get(classType);
  return typeof description === "object" && description !== null && Reflect.get(description, "output_node") === true;
}

// On loopback only: everything that reaches it acts with the key. Bytes are served directly, since its tools do not follow
// redirects to another port.
async function listen(deps: ApplicationApiDeps, given: Given, key: string): Promise<void> {
  const { config, life, log, assets } = deps;
  const rules = { cacheControl: "private, no-cache", asAttachment: false };
  const api = applicationApi({
    ...given,
    hasRoot: true,
    authenticate: (arrival) => given.authenticate(withPortKey(arrival, key)),
    content: async (asset, request) => assets.content(asset, request, rules),
  });
  // Steps are undone in reverse order, so the listener closes first.
  life.onStop("websockets of its listener", () => api.close());
  const server = await serveOnLoopback({
    ...listening(deps),
    areas: api.areas,
    port: config.applicationApiPort ?? 0,
    policy: (port) => {
      const hosts = hostsOf(loopbackNames, port);
      return { hosts: new Set(hosts), origins: new Set(hosts.map((host) => `http://${host}`)), openPaths: new Set() };
    },
    readPeer: peerReader([]),
  });
  life.onStop(
    "listener of the application's API",
    () => server.stop(drainSecondsLeft(config, life)),
    drainSecondsOf(config) + 5,
  );
  log.info({ port: server.port }, "the application's API is served on loopback without a credential");
}
