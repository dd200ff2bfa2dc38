// Sends JSON members as a multipart form, for providers that accept nothing else (decisions, section 3: switched on by a
// definition, never by default). Numbers keep their source text; data URLs become file parts.
import { randomBytes } from "node:crypto";
import { pointerSegment } from "../../foundation/json-pointer.ts";
import type { ModelDefinition } from "./definition.ts";

export interface FormBody {
  readonly body: Buffer;
  readonly contentType: string;
}

// The members of the form, adding the model's name if the provider wants it and the caller left it out.
export function encodeForm(
  { submit }: Pick<ModelDefinition, "submit">,
  document: unknown,
  exactIntegers: ReadonlyMap<string, string>,
): FormBody {
  const own = typeof document === "object" && document !== null ? document : {};
  const member = submit.model_member;
  return multipartBody(member ? { [member.name]: member.value, ...own } : own, exactIntegers);
}

export function multipartBody(document: object, exactIntegers: ReadonlyMap<string, string>): FormBody {
  const boundary = `atelier-${randomBytes(18).toString("hex")}`;
  const parts: Buffer[] = [];
  for (const [name, value] of Object.entries(document)) {
    const file = typeof value === "string" ? /^data:([\w.+-]+\/[\w.+-]+);base64,([A-Za-z0-9+/=]+)$/.exec(value) : null;
    const disposition = `form-data; name="${quoted(name)}"${file ? `; filename="${quoted(name)}"` : ""}`;
    parts.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: ${disposition}\r\n${file ? `Content-Type: ${file[1]}\r\n` : ""}\r\n`,
      ),
    );
    parts.push(
      file ? Buffer.from(file[2] ?? "", "base64") : Buffer.from(writeText(value, name, exactIntegers)),
      Buffer.from("\r\n"),
    );
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { body: Buffer.concat(parts), contentType: `multipart/form-data; boundary=${boundary}` };
}

function writeText(value: unknown, name: string, exactIntegers: ReadonlyMap<string, string>): string {
  const exact = exactIntegers.get(`/${pointerSegment(name)}`);
  if (exact !== undefined) return exact;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function quoted(name: string): string {
  return name.replace(/[\r\n"\\]/g, "_");
}
