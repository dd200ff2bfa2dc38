// Background work of processes, as operators read it.
import { type Example, laterTime, time, uuid } from "./example.ts";

const work = {
  name: "calls: heartbeat of this process",
  every_seconds: 5,
  is_running: false,
  rounds: 12,
  failures: 1,
  last: { started_at: time, duration_ms: 3.5, result: "failed", problem: "The database does not answer." },
};
const process = {
  id: uuid,
  name: "serve on rack-1 4711",
  started_at: time,
  seen_at: laterTime,
  works: [work],
  problems: ["calls: heartbeat of this process fails: The database does not answer."],
};

export const backgroundWorkExamples: Record<string, Example> = {
  BackgroundWork: { good: work, broken: { every_seconds: -1, rounds: 0.5, "last.result": "perhaps" } },
  BackgroundProcess: { good: process, broken: { works: work, problems: undefined, seen_at: null } },
  BackgroundProcessList: { good: { data: [process] }, broken: { "data.0.id": "1", data: undefined } },
};
