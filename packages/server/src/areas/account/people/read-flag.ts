// A query parameter that is true or false, and false if it is absent.
import { Fault } from "../../../foundation/fault.ts";

export function readFlag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name) ?? "false";
  if (value !== "true" && value !== "false") throw new Fault("invalid_request", `${name} must be true or false.`);
  return value === "true";
}
