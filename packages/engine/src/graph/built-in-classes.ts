// Every class the embedded engine can run, by name, without the code that runs it.
import { type ApplicationProfile, applicationProfiles, defaultProfile } from "../application-profile.ts";
import { classTableOf } from "../classes/class-table.ts";
import type { ClassDescriptions } from "./node-class.ts";

const described: ReadonlyMap<ApplicationProfile, ClassDescriptions> = new Map(
  applicationProfiles.map((profile) => [
    profile,
    new Map(Array.from(classTableOf(profile), ([name, { description }]) => [name, description])),
  ]),
);

export const builtInClassesOf = (profile: ApplicationProfile): ClassDescriptions => described.get(profile) ?? new Map();

// For what does not depend on the profile: names, which class calls a model, which is an output.
export const builtInClasses: ClassDescriptions = builtInClassesOf(defaultProfile);
