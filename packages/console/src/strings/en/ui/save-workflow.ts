// Saving a workflow, from the runner, a job or a picture.
export const saveWorkflowWords = {
  action: "Save workflow",
  title: "Save workflow",
  name: "Name",
  namePrompt: "Give it a name first",
  folder: "Folder",
  folderHint: "Names separated by slashes, such as `posters/sea`. Leave it empty for the top.",
  tags: "Tags",
  tagsHint: "Words to find it by, separated by commas.",
  note: "Note",
  noteHint: "Why you are saving it, for people who read its history.",
  save: "Save",
  saving: "Saving…",
  saved: (name: string) => `Saved “${name}”.`,
} as const;
