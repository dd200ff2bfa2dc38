// Reads what a partner says about a task, in an answer or a callback. Pure. A state that the definition does not know
// counts as running, because partners add words without notice. Of the partner's own text only the error message reaches
// a caller, cut and stripped of addresses.
import { readForeignJson } from "../../foundation/json/foreign-json.ts";
import { findSpan } from "../../foundation/json/json-spans.ts";
import { isPresent, plainWords, valueAt } from "../providers/index.ts";
import { type PartnerDefinition, type TaskState, taskStates } from "./definition.ts";

export interface TaskReading {
  readonly partnerTaskId: string | null;
  readonly state: TaskState;
  readonly answer: { readonly bytes: Buffer; readonly root: string };
  readonly error: { readonly code: string; readonly message: string } | null;
}

type Reader = Pick<PartnerDefinition, "task" | "states" | "result">;

// Null if no task can be recognized.
export function readTask(definition: Reader, bytes: Buffer, root: string): TaskReading | null {
  const document = readForeignJson(bytes);
  const { task } = definition;
  const at = (pointer: string | undefined) => (pointer === undefined ? undefined : valueAt(document, root + pointer));
  const status = at(task.status);
  if (typeof status !== "string") return null;
  const id = exactId(at(task.id), bytes, root + task.id);
  const said = stateOf(definition, status);
  const isEmpty = said === "completed" && definition.result !== undefined && !isPresent(at(definition.result));
  const state = isEmpty ? "failed" : said;
  return {
    partnerTaskId: id,
    state,
    answer: { bytes, root },
    error: state === "failed" ? (isEmpty ? noResult : errorOf(at(task.error_code), at(task.error_message))) : null,
  };
}

const noResult = { code: "no_result", message: "The partner reported success but returned no result." };

function stateOf({ states }: Reader, status: string): TaskState {
  const word = status.toLowerCase();
  return taskStates.find((state) => states[state].words.some((known) => known.toLowerCase() === word)) ?? "running";
}

function errorOf(code: unknown, message: unknown): { code: string; message: string } {
  return {
    code: typeof code === "string" && /^[A-Za-z0-9_.-]{1,100}$/.test(code) ? code : "failed",
    message: plainWords(message) ?? "The partner could not complete the task.",
  };
}

// A number keeps all its digits, which a double would round.
function exactId(id: unknown, bytes: Buffer, pointer: string): string | null {
  if (typeof id === "string") return id !== "" && id.length <= 500 ? id : null;
  const span = typeof id === "number" ? findSpan(bytes, pointer) : null;
  const digits = span === null ? "" : bytes.toString("latin1", span.start, span.end);
  return /^\d{1,40}$/.test(digits) ? digits : null;
}
