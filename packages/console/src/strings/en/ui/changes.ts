// What differs between two versions, by node.
export const uiChanges = {
  kinds: { added: "Added", removed: "Removed", changed: "Changed" },
  node: (id: string) => `Node ${id}`,
} as const;
