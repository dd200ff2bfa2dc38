// The built-in classes as an editor shows them, read from the same description that `object_info` gives to editors.
import { type ApplicationProfile, defaultProfile } from "../application-profile.ts";
import { builtInClassesOf } from "./built-in-classes.ts";
import { describeClasses } from "./describe-classes.ts";
import { type EditorClass, type EditorClasses, readEditorClass } from "./editor-class.ts";
import type { ClassDescriptions } from "./node-class.ts";

export const builtInEditorClassesOf = (profile: ApplicationProfile): EditorClasses =>
  editorClassesOf(builtInClassesOf(profile));

// Each is read when a graph first names it: most processes never see an editor's graph.
export function editorClassesOf(classes: ClassDescriptions): EditorClasses {
  const known = new Map<string, EditorClass | undefined>();
  return {
    get(name) {
      const description = classes.get(name);
      if (description !== undefined && !known.has(name))
        known.set(name, readEditorClass(name, describeClasses(new Map([[name, description]]))[name]) ?? undefined);
      return known.get(name);
    },
  };
}

export const builtInEditorClasses: EditorClasses = builtInEditorClassesOf(defaultProfile);
