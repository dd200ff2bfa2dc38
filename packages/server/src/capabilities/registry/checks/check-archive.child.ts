// The child process in which archives are opened: see archive-checks.ts.

import { serveTasks } from "../../../foundation/threads/child-entry.ts";
import { type CheckReport, type CheckTask, checkArchive } from "./check-archive.ts";

serveTasks<CheckTask, CheckReport>(checkArchive);
