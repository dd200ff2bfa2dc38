// What the editor keeps for each person besides workflows: settings, bookmarks, key bindings, templates of nodes.
export type { EditorFile, FileOwner } from "./editor-file.ts";
export { createEditorFiles, type EditorFiles } from "./editor-files.ts";
