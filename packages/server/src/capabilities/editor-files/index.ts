// What the editor keeps for each person besides workflows: settings, bookmarks, key bindings, templates of nodes.
export type { EditorFile, EditorFileContent, FileOwner } from "./editor-file.ts";
export { createEditorFiles, type EditorFiles, editorFileBounds } from "./editor-files.ts";
