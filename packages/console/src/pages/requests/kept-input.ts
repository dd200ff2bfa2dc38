// What can be sent again of a kept input: everything but the members that were not kept. Null if there is nothing.
import type { RequestBodies } from "@atelier/sdk";
import { isRecord } from "../../api/json-record.ts";
import type { Input } from "../../api/model-calls/model-run.ts";
import { valueOfBody } from "../../api/model-calls/request-bodies.ts";
import { namesInPointer } from "../../ui/schema-form/json-pointer.ts";

export function inputOfBodies(bodies: RequestBodies | undefined): Input | null {
  const value = bodies?.input ? valueOfBody(bodies.input) : undefined;
  if (!isRecord(value)) return null;
  // These pointers are no fragments, so a percent sign means itself.
  const gone = new Set(bodies?.input?.removed.map(({ at }) => namesInPointer(at.replaceAll("%", "%25"))[0]));
  return Object.fromEntries(Object.entries(value).filter(([name]) => !gone.has(name)));
}
