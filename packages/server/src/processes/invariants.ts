// Every invariant of the house, by name: no row may come back. The tests, `doctor`, a restore and a metric run them.
import type { Invariant } from "../capabilities/backup/index.ts";

export const allInvariants: readonly Invariant[] = [];
