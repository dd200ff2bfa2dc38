// Every class the embedded engine can run, by name, without the means to run it.
import { classTable } from "../classes/class-table.ts";
import type { ClassDescriptions } from "./node-class.ts";

export const builtInClasses: ClassDescriptions = new Map(
  Array.from(classTable, ([name, { description }]) => [name, description]),
);
