// What an entry of the audit is about, by the name that it had then; an id alone says little to people.
import { isRecord } from "../../api/json-record.ts";

const lengthMax = 60;

export function subjectName({ before, after }: { readonly before: unknown; readonly after: unknown }): string {
  for (const state of [after, before]) {
    const name = isRecord(state) ? state["name"] : undefined;
    if (typeof name === "string" && name !== "")
      return name.length > lengthMax ? `${name.slice(0, lengthMax - 1)}…` : name;
  }
  return "";
}
