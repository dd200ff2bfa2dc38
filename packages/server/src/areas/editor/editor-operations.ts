// The editor's own addresses: a page for each workspace, and below it the files as the wheel has them. They follow the editor's
// layout and not our contract, so they are listed here and in no document.
import type { Operation } from "@atelier/contract";

function page<const Id extends string>(id: Id, path: `/${string}`): Operation<Id> {
  return { id, method: "GET", path, tag: "Editor", summary: id, access: "session", answers: {} };
}

export const editorOperations = {
  openEditor: page("openEditor", "/editor"),
  openEditorFolder: page("openEditorFolder", "/editor/"),
  openEditorOf: page("openEditorOf", "/editor/{workspace}"),
  showEditor: page("showEditor", "/editor/{workspace}/"),
  // The editor asks for the pictures of its progress in the browser's tab at the root, wherever its page is.
  getProgressMark: page("getProgressMark", "/assets/images/{folder}/{name}"),
} as const;

// A path has at most this many parts.
const parts = ["a", "b", "c", "d", "e", "f"] as const;
export const fileOperations: readonly Operation[] = parts.map((_, at) =>
  page(
    "getEditorFile",
    `/editor/{workspace}/${parts
      .slice(0, at + 1)
      .map((name) => `{${name}}`)
      .join("/")}`,
  ),
);

export function pathIn(params: Readonly<Record<string, string>>): string {
  return parts.flatMap((name) => params[name] ?? []).join("/");
}
