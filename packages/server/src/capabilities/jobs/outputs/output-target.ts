// Where a job's outputs are also sent: an https address or an S3-compatible bucket. The whole target is sealed, since an
// address may carry a secret too, and bound to workspace and job, so it opens in no other row.
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { JobId } from "../../assets/index.ts";
import type { SealContext, Sealer } from "../../secrets/index.ts";

export interface HttpsTarget {
  readonly kind: "https";
  // Contains `{name}`.
  readonly url: string;
}

export interface S3Target {
  readonly kind: "s3";
  // Scheme, host and port.
  readonly endpoint: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export type OutputTarget = HttpsTarget | S3Target;

export function targetContext(workspaceId: WorkspaceId, jobId: JobId): SealContext {
  return { use: "job-output-target", associatedData: `${workspaceId} ${jobId}` };
}

// Also null if the key has left the ring, or the row came from a backup.
export function openTarget(sealer: Sealer, context: SealContext, envelope: string | null): OutputTarget | null {
  const plaintext = envelope === null ? null : sealer.open(context, envelope);
  // We wrote it ourselves, so what opens is what was sealed.
  return plaintext === null ? null : (JSON.parse(plaintext.toString("utf8")) as OutputTarget);
}

// Where one output goes. Characters of the name that have a meaning in a URL are encoded; folders in it stay folders.
export function addressOf(target: OutputTarget, output: { readonly jobId: JobId; readonly name: string }): string {
  if (target.kind === "https") {
    return target.url
      .replaceAll("{name}", () => output.name.split("/").map(encoded).join("/"))
      .replaceAll("{job_id}", () => output.jobId);
  }
  const key = `${target.prefix}${output.name}`.split("/").map(encoded).join("/");
  return `${target.endpoint}/${encoded(target.bucket)}/${key}`;
}

// RFC 3986 as S3 signatures require it: encodes everything but letters, digits and -_.~. A name of dots alone would climb to
// a parent folder.
export function encoded(text: string): string {
  if (/^\.{1,2}$/.test(text)) return text.replaceAll(".", "_");
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
