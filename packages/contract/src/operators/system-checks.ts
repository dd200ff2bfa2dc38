// What a running server finds when it checks everything it needs, as operators see it.
import { type Static, Type } from "typebox";
import { entity, nullable, Timestamp, wordOf } from "../wire-values.ts";

export const SystemCheck = entity("SystemCheck", "One check.", {
  name: Type.String({ minLength: 1, description: "What was checked. Several findings can share a name." }),
  status: wordOf(["ok", "warning", "problem"], { description: "problem: something does not work." }),
  message: Type.String({ description: "What was found, without secrets." }),
  advice: nullable(Type.String(), "How to fix it, with the name of the setting or command; null if all is well."),
});

export const SystemCheckList = entity("SystemCheckList", "All checks, and when they ran.", {
  checked_at: Timestamp,
  version: Type.String({ description: "The server's version." }),
  started_at: Timestamp,
  data: Type.Array(SystemCheck, { description: "The findings, in the order of the checks." }),
});
export type SystemCheckList = Static<typeof SystemCheckList>;
