// JSON members as a multipart form, for providers that speak only that (decisions, section 3: switched on by a
// definition, never by default). Numbers keep their source text; data URLs become file parts.
import { randomBytes } from "node:crypto";

export function multipartBody(
  document: object,
  exactIntegers: ReadonlyMap<string, string>,
): { body: Buffer; contentType: string } {
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
      file ? Buffer.from(file[2] ?? "", "base64") : Buffer.from(textOf(value, name, exactIntegers)),
      Buffer.from("\r\n"),
    );
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { body: Buffer.concat(parts), contentType: `multipart/form-data; boundary=${boundary}` };
}

function textOf(value: unknown, name: string, exactIntegers: ReadonlyMap<string, string>): string {
  const exact = exactIntegers.get(`/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  if (exact !== undefined) return exact;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function quoted(name: string): string {
  return name.replace(/[\r\n"\\]/g, "_");
}
