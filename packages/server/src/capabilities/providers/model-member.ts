// Some providers want the model's name in the body. If a definition says so and the caller left it out, we insert the
// member at the front, at the byte level, and leave the rest of the body untouched (decisions, section 3).
import type { ModelDefinition } from "./definition.ts";

export function withModelMember(
  definition: Pick<ModelDefinition, "submit">,
  bytes: Buffer,
  isPresent: boolean,
): Buffer {
  const member = definition.submit.model_member;
  if (!member || isPresent) return bytes;
  // The body has been parsed as a JSON object, so its first brace opens it.
  const open = bytes.indexOf(0x7b) + 1;
  const rest = bytes.subarray(open);
  const isEmpty = /^[ \t\r\n]*\}/.test(rest.subarray(0, 4096).toString("latin1"));
  const text = `${JSON.stringify(member.name)}:${JSON.stringify(member.value)}${isEmpty ? "" : ","}`;
  return Buffer.concat([bytes.subarray(0, open), Buffer.from(text), rest]);
}
