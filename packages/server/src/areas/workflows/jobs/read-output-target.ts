// Where a submission wants its outputs delivered (decisions, section 4: guarded like webhooks). Checked by its text alone; what
// a name resolves to is checked when it is called. Refusals name the field and never repeat its value, which holds a
// credential.
import type { OutputTarget } from "../../../capabilities/jobs/index.ts";
import { checkTarget, type EgressPolicy } from "../../../foundation/http/outgoing/egress-guard.ts";
import { isRecord, type JsonRecord, memberOf } from "../../../foundation/json/json-record.ts";
import { problemOf } from "../../../foundation/json/labels.ts";

export type TargetReading =
  | { readonly ok: true; readonly target: OutputTarget }
  | { readonly ok: false; readonly field: string; readonly problem: string };

const wrong = (field: string, problem: string): TargetReading => ({
  ok: false,
  field: field === "" ? "output_target" : `output_target.${field}`,
  problem,
});
const mustBePublic = "must be an https URL of a public host on port 443, without a user name or password";

export function readOutputTarget(given: unknown, egress: EgressPolicy): TargetReading {
  if (!isRecord(given)) return wrong("", "must be a JSON object");
  const kind = memberOf(given, "kind");
  if (kind === "https") return readHttps(given, egress);
  return kind === "s3" ? readS3(given, egress) : wrong("kind", "must be https or s3");
}

function readHttps(given: JsonRecord, egress: EgressPolicy): TargetReading {
  const unknown = Object.keys(given).find((name) => name !== "kind" && name !== "url");
  if (unknown !== undefined) return wrong("", "has a member that an https target does not have");
  const url = memberOf(given, "url");
  if (typeof url !== "string" || problemOf(url) !== null) return wrong("url", "must be a URL");
  if (!url.includes("{name}")) return wrong("url", "must contain {name}, which is replaced by each output's name");
  // The name of an output must not choose the host: URLs for different names may differ only in path and query.
  const [one, other] = ["a", "b"].map((name) => url.replaceAll("{name}", name).replaceAll("{job_id}", name));
  const first = checkTarget(one ?? "", egress);
  const second = checkTarget(other ?? "", egress);
  if (!first.ok || !second.ok || first.url.origin !== second.url.origin) return wrong("url", mustBePublic);
  return { ok: true, target: { kind: "https", url } };
}

// For each member of an s3 target: whether it can be left out, and its format.
const s3Members = {
  endpoint: { otherwise: null, pattern: /^https?:\/\/[^/?#]+\/?$/i },
  bucket: { otherwise: null, pattern: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/ },
  prefix: { otherwise: "", pattern: /^\P{Cc}{0,512}$/u },
  region: { otherwise: "us-east-1", pattern: /^[a-z0-9-]{1,64}$/ },
  access_key_id: { otherwise: null, pattern: /^[!-~]{1,128}$/ },
  secret_access_key: { otherwise: null, pattern: /^[!-~]{1,256}$/ },
} as const;
type S3Member = keyof typeof s3Members;
const s3Names = Object.keys(s3Members) as S3Member[];

function readS3(given: JsonRecord, egress: EgressPolicy): TargetReading {
  const names: readonly string[] = ["kind", ...s3Names];
  if (Object.keys(given).some((name) => !names.includes(name)))
    return wrong("", "has a member that an s3 target does not have");
  const read = new Map<S3Member, string>();
  for (const name of s3Names) {
    const { otherwise, pattern } = s3Members[name];
    const value = memberOf(given, name) ?? otherwise;
    if (typeof value !== "string" || !pattern.test(value) || problemOf(value) !== null)
      return wrong(name, value === null ? "is missing" : "has an invalid value");
    read.set(name, value);
  }
  const text = (name: S3Member) => read.get(name) ?? "";
  const verdict = checkTarget(text("endpoint"), egress);
  if (!verdict.ok) return wrong("endpoint", mustBePublic);
  return {
    ok: true,
    target: {
      kind: "s3",
      endpoint: verdict.url.origin,
      bucket: text("bucket"),
      prefix: text("prefix"),
      region: text("region"),
      accessKeyId: text("access_key_id"),
      secretAccessKey: text("secret_access_key"),
    },
  };
}
