// The ecosystem's own editor, which operators may install: its files, and nothing about what it does.
export { installEditor, removeEditor } from "./install-editor.ts";
export {
  type Editor,
  type EditorFile,
  type InstalledEditor,
  isEditorInstalled,
  openEditor,
  packedEnding,
  readInstalled,
} from "./installed-editor.ts";
export { lookAtEditor } from "./look-at-editor.ts";
export { editorPackage, newestTested } from "./tested-versions.ts";
