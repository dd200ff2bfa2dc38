// The built-in classes as an editor shows them, read from the same description that `object_info` gives to editors.
import { type ApplicationProfile, defaultProfile } from "../application-profile.ts";
import { builtInClassesOf } from "./built-in-classes.ts";
import { describeClasses } from "./describe-classes.ts";
import { type EditorClass, type EditorClasses, readEditorClass } from "./editor-class.ts";
import type { ClassDescriptions } from "./node-class.ts";

export const builtInEditorClassesOf = (profile: ApplicationProfile): EditorClasses =>
  editorClassesOf(builtInClassesOf(profile));

export function editorClassesOf(classes: ClassDescriptions): EditorClasses {
  return new Map(
    Object.entries(describeClasses(classes)).flatMap(([name, entry]): [string, EditorClass][] => {
      const read = readEditorClass(name, entry);
      return read === null ? [] : [[name, read]];
    }),
  );
}

export const builtInEditorClasses: EditorClasses = builtInEditorClassesOf(defaultProfile);
