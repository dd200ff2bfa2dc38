// The classes of an engine: the built-in ones and those that were declared. A built-in class cannot be replaced.
import { type ApplicationProfile, applicationProfiles, defaultProfile } from "../application-profile.ts";
import { builtInClasses, builtInClassesOf } from "../graph/built-in-classes.ts";
import type { ClassDescriptions } from "../graph/node-class.ts";
import type { LazyDeclaration, NodeDeclaration } from "./declaration.ts";
import { DescribedClasses } from "./described-classes.ts";

export interface ClassSet extends Pick<ClassDescriptions, "get" | "has"> {
  // By name, for the profile's version of the application.
  of(profile: ApplicationProfile): ClassDescriptions;
  readonly names: readonly string[];
  declaration(name: string): NodeDeclaration | undefined;
  readonly declarations: readonly NodeDeclaration[];
  // Those that call models of these providers; the others are not even parsed.
  declarationsFor(providers: ReadonlySet<string>): readonly NodeDeclaration[];
}

export function classSet(declarations: readonly (NodeDeclaration | LazyDeclaration)[] = []): ClassSet {
  const declared = new Map(
    declarations.filter(({ name }) => !builtInClasses.has(name)).map((each) => [each.name, lazily(each)]),
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
    declaration: (name) => declared.get(name)?.read(),
    get declarations() {
      return Array.from(declared.values(), (each) => each.read());
    },
    declarationsFor: (providers) =>
      [...declared.values()].filter(({ provider }) => providers.has(provider)).map((each) => each.read()),
  };
}

function lazily(declaration: NodeDeclaration | LazyDeclaration): LazyDeclaration {
  if ("read" in declaration) return declaration;
  const provider = declaration.calls[0]?.model.split("/")[0] ?? "";
  return { name: declaration.name, provider, read: () => declaration };
}

export const builtInSet: ClassSet = classSet();
