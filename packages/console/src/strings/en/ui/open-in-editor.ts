// The way from a workflow, a job or a picture into the editor, where one is installed.
export const openInEditorWords = {
  action: "Open in editor",
};
