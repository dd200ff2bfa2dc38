// Refuses a request's field for what a schema cannot express, with the same error format as the schema's own.
import { Fault } from "../fault.ts";
import type { FaultCode } from "../fault-codes.ts";

// Dots in the name lead into the field.
export function badField(name: string, message: string, code: FaultCode = "invalid_request"): Fault {
  return new Fault(code, `The request is not valid: ${name} ${message}.`, {
    details: [{ path: `/${name.replaceAll(".", "/")}`, message }],
  });
}
