// The child process in which badges are examined: see prove-badge.ts.
import { serveTasks } from "../../foundation/threads/child-entry.ts";
import { type Examination, type ExamineTask, examineBadge } from "./examine-badge.ts";

serveTasks<ExamineTask, Examination>(examineBadge);
