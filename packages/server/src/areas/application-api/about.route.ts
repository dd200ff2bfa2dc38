// What tools ask an application about itself when they start.
import { Fault } from "../../foundation/fault.ts";
import { type Route, route } from "../../foundation/http/area.ts";
import { answerChooser } from "../../foundation/http/prepared-answers.ts";
import { fresh, jsonText } from "./answers.ts";
import type { ApplicationCaller, ApplicationDeps } from "./application-caller.ts";
import { cloudOperations, applicationOperations as operations, rootOperations } from "./application-operations.ts";
import { classesWithFiles } from "./classes-with-files.ts";
import { modelFiles, modelFolders } from "./editor/pool-models.ts";
import { features } from "./features.ts";

type AboutRoute = Route<ApplicationCaller>;

export function getObjectInfoRoute(deps: ApplicationDeps): AboutRoute {
  const choose = answerChooser();
  const filled = classesWithFiles(deps);
  return route(operations.getObjectInfo, async (it) =>
    choose(await filled(it.caller, await deps.objectInfo(null)), it),
  );
}

// The application answers an unknown class with an empty object.
export function getClassInfoRoute(deps: ApplicationDeps): AboutRoute {
  const choose = answerChooser();
  const filled = classesWithFiles(deps);
  return route(operations.getClassInfo, async (it) => {
    try {
      return choose(await filled(it.caller, await deps.objectInfo(it.params["class"] ?? "")), it);
    } catch (thrown) {
      if (thrown instanceof Fault && thrown.code === "not_found") return fresh({});
      throw thrown;
    }
  });
}

// The version whose classes the engine follows (docs/ENGINE.md). Nothing about the machine is revealed.
export function getSystemStatsRoute({ applicationVersion }: ApplicationDeps): AboutRoute {
  const system = {
    os: "posix",
    ram_total: 0,
    ram_free: 0,
    comfyui_version: applicationVersion,
    python_version: "",
    pytorch_version: "",
    embedded_python: false,
    argv: [],
  };
  const memory = { vram_total: 0, vram_free: 0, torch_vram_total: 0, torch_vram_free: 0 };
  const devices = [{ name: "cpu", type: "cpu", index: 0, ...memory }];
  return route(operations.getSystemStats, () => fresh({ system, devices }));
}

export function getFeaturesRoute(): AboutRoute {
  return route(operations.getFeatures, () => fresh(features));
}

export function listEmbeddingsRoute(): AboutRoute {
  return route(operations.listEmbeddings, () => jsonText("[]"));
}

// Scripts that the editor loads besides its own.
export function listExtensionsRoute({ extensions = [] }: ApplicationDeps): AboutRoute {
  return route(operations.listExtensions, () => jsonText(JSON.stringify(extensions)));
}

// Weights of the pool's applications.
export function modelRoutes(deps: ApplicationDeps): AboutRoute[] {
  const filesIn = async (folder = "") => {
    await deps.classesReady();
    const files = modelFiles(deps.classes(), folder);
    if (files === null) throw new Fault("not_found", "There is no such folder.");
    return files;
  };
  return [
    route(operations.listModelFolders, () => fresh([...modelFolders])),
    route(operations.listModelFiles, async ({ params }) => fresh([...(await filesIn(params["folder"]))])),
  ];
}

// The same as the editor asks for it. What is inside the files is not known here.
export function modelInfoRoutes(deps: ApplicationDeps): AboutRoute[] {
  const infoOf = (name: string) => ({ name, pathIndex: 0, modified: 0, created: 0, size: 0 });
  return [
    route(cloudOperations.listModelFolderInfos, () => fresh(modelFolders.map((name) => ({ name, folders: [] })))),
    route(cloudOperations.listModelFileInfos, async ({ params }) => {
      await deps.classesReady();
      const files = modelFiles(deps.classes(), params["folder"] ?? "");
      if (files === null) throw new Fault("not_found", "There is no such folder.");
      return fresh(files.map(infoOf));
    }),
    route(cloudOperations.getModelMetadata, () => {
      throw new Fault("not_found", "Nothing is known about this file.");
    }),
  ];
}

export function freeMemoryRoute(): AboutRoute {
  return route(operations.freeMemory, () => fresh({}));
}

// Features of an application that we do not have: machine logs are the operator's, and templates, translations and shared
// subgraphs come with an editor.
export function emptyRoutes(): AboutRoute[] {
  const screen = { entries: [], size: { cols: 80, rows: 24 } };
  return [
    route(operations.getLogs, () => jsonText(`""`)),
    route(operations.getRawLogs, () => fresh(screen)),
    route(operations.subscribeToLogs, () => fresh({})),
    route(operations.listFolderPaths, () => fresh({})),
    route(operations.listTemplates, () => fresh({})),
    route(operations.listTranslations, () => fresh({})),
    route(operations.listSubgraphs, () => fresh({})),
  ];
}

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Atelier</title></head>
<body><h1>Atelier</h1><p>This port serves the application's API. It has no editor.</p></body></html>
`;

// Tools request this to check whether an application is up.
export function getEditorPageRoute(): AboutRoute {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  };
  return route(rootOperations.getEditorPage, () => ({ status: 200, headers, body: page }));
}

export function getApplicationUserRoute(): AboutRoute {
  return route(cloudOperations.getApplicationUser, ({ caller }) => fresh({ id: caller.workspaceId, status: "active" }));
}

export function listApplicationUsersRoute(): AboutRoute {
  return route(cloudOperations.listApplicationUsers, () => fresh({ storage: "server", migrated: true }));
}
