// The built-in classes as an editor shows them, read from the same description that `object_info` gives to editors.
import { builtInClasses } from "./built-in-classes.ts";
import { describeClasses } from "./describe-classes.ts";
import { type EditorClass, type EditorClasses, readEditorClass } from "./editor-class.ts";

export const builtInEditorClasses: EditorClasses = new Map(
  Object.entries(describeClasses(builtInClasses)).flatMap(([name, entry]): [string, EditorClass][] => {
    const read = readEditorClass(name, entry);
    return read === null ? [] : [[name, read]];
  }),
);
