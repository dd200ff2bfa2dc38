// The classes of an engine: the built-in ones and those that were declared. A built-in class cannot be replaced.
import { type ApplicationProfile, applicationProfiles, defaultProfile } from "../application-profile.ts";
import { builtInClasses, builtInClassesOf } from "../graph/built-in-classes.ts";
import type { ClassDescriptions } from "../graph/node-class.ts";
import type { NodeDeclaration } from "./declaration.ts";
import { DescribedClasses } from "./described-classes.ts";

export interface ClassSet extends Pick<ClassDescriptions, "get" | "has"> {
  // By name, for the profile's version of the application.
  of(profile: ApplicationProfile): ClassDescriptions;
  readonly names: readonly string[];
  declaration(name: string): NodeDeclaration | undefined;
  readonly declarations: readonly NodeDeclaration[];
}

export function classSet(declarations: readonly NodeDeclaration[] = []): ClassSet {
  const declared = new Map(
    declarations.filter(({ name }) => !builtInClasses.has(name)).map((declaration) => [declaration.name, declaration]),
  );
  const byProfile = new Map(
    applicationProfiles.map((profile): [ApplicationProfile, ClassDescriptions] => {
      const builtIn = builtInClassesOf(profile);
      return [profile, declared.size === 0 ? builtIn : new DescribedClasses(builtIn, declared)];
    }),
  );
  const usual = byProfile.get(defaultProfile) ?? builtInClasses;
  return {
    of: (profile) => byProfile.get(profile) ?? usual,
    get: (name) => usual.get(name),
    has: (name) => usual.has(name),
    names: [...usual.keys()],
    declaration: (name) => declared.get(name),
    declarations: [...declared.values()],
  };
}

export const builtInSet: ClassSet = classSet();
