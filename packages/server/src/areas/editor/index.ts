// The ecosystem's own editor for everyone who is signed in, one address for each workspace. The API that it calls is the
// application's, mounted below the same address.
import { type Area, area } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";
import {
  type EditorDeps,
  editorFileRoutes,
  getProgressMarkRoute,
  openEditorFolderRoute,
  openEditorOfRoute,
  openEditorRoute,
  showEditorRoute,
} from "./editor.route.ts";
import type { Visitor } from "./editor-caller.ts";

export type { EditorExtension } from "./editor.route.ts";

export function editorArea(deps: EditorDeps): Area {
  return area<Visitor>({
    name: "editor",
    isOutsideContract: true,
    prefixes: ["/editor", "/assets/images"],
    authenticate: (arrival) => deps.visitor(arrival),
    envelope: genericEnvelope,
    cors: "listed",
    routes: [
      openEditorRoute(),
      openEditorFolderRoute(),
      openEditorOfRoute(),
      showEditorRoute(deps),
      getProgressMarkRoute(deps),
      ...editorFileRoutes(deps),
    ],
  });
}
