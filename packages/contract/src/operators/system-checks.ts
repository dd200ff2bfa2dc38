// What a running server finds when it checks everything it needs, as operators see it.
import { type Static, Type } from "typebox";
import { entity, nullable, Timestamp, wordOf } from "../wire-values.ts";

export const SystemCheck = entity("SystemCheck", "One thing that was looked at.", {
  name: Type.String({ minLength: 1, description: "What was looked at; several findings may have one name." }),
  status: wordOf(["ok", "warning", "problem"], { description: "problem: something does not work." }),
  message: Type.String({ description: "What was found, without secrets." }),
  advice: nullable(Type.String(), "What to do about it, with the setting or command by name; null where all is well."),
});
export type SystemCheck = Static<typeof SystemCheck>;

export const SystemCheckList = entity("SystemCheckList", "Everything that was looked at, and when.", {
  checked_at: Timestamp,
  version: Type.String({ description: "The server's version." }),
  started_at: Timestamp,
  data: Type.Array(SystemCheck, { description: "The findings, in the order in which they were made." }),
});
export type SystemCheckList = Static<typeof SystemCheckList>;
