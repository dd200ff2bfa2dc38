// The folders and tags of the workflows that are listed: what lies directly in the open folder, and the way back up.
interface Filed {
  readonly folder: string;
  readonly tags: readonly string[];
}

export interface Folder {
  readonly path: string;
  readonly name: string;
}

const byName = new Intl.Collator(undefined, { numeric: true });

// From the top down to the folder itself.
export function crumbsOf(folder: string): readonly Folder[] {
  const names = folder.split("/").filter((name) => name !== "");
  return names.map((name, at) => ({ name, path: names.slice(0, at + 1).join("/") }));
}

// The folders directly within the open one; `inside` is empty at the top.
export function foldersWithin(inside: string, filed: readonly Filed[]): readonly Folder[] {
  const head = inside === "" ? "" : `${inside}/`;
  const names = new Set(
    filed.flatMap(({ folder }) => {
      if (!folder.startsWith(head) || folder === inside) return [];
      const [name = ""] = folder.slice(head.length).split("/");
      return name === "" ? [] : [name];
    }),
  );
  return [...names].toSorted(byName.compare).map((name) => ({ name, path: head + name }));
}

export function tagsOf(filed: readonly Filed[]): readonly string[] {
  return [...new Set(filed.flatMap(({ tags }) => tags))].toSorted(byName.compare);
}
