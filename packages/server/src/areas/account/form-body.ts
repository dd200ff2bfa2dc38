// An HTML form's fields: application/x-www-form-urlencoded in UTF-8. A field sent twice is refused where one is expected:
// two readers must not see two values.
import { Fault } from "../../foundation/fault.ts";
import type { Incoming } from "../../foundation/http/area.ts";

export const formBytesMax = 16 * 1024;

export interface FormBody {
  // Null when absent.
  one(name: string): string | null;
  all(name: string): readonly string[];
}

export async function readForm(incoming: Pick<Incoming<unknown>, "headers" | "bytes">): Promise<FormBody> {
  const type = (incoming.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") {
    throw new Fault("invalid_content_type", "A form is sent as application/x-www-form-urlencoded.");
  }
  const fields = new URLSearchParams(decodeText(await incoming.bytes()));
  return {
    one(name) {
      const values = fields.getAll(name);
      if (values.length > 1) throw new Fault("invalid_request", `The form has the field "${name}" more than once.`);
      return values[0] ?? null;
    },
    all: (name) => fields.getAll(name),
  };
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (thrown) {
    throw new Fault("invalid_request", "The form is not valid UTF-8.", { cause: thrown });
  }
}
