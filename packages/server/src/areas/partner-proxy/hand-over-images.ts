// Images in a request: the image itself, a public URL, or a URL of our own content origin. Nothing is fetched here: a URL is
// checked by its text, and again when it is called. Our own files are read from the asset store and passed on in the form that
// the partner accepts, so that the storage hand-off works on one machine too.
import type { Asset, Assets } from "../../capabilities/assets/index.ts";
import type { ImageRule } from "../../capabilities/partners/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { checkTarget, type EgressRefusal } from "../../foundation/http/outgoing/egress-guard.ts";
import type { JsonEdit } from "../../foundation/json/json-spans.ts";
import type { FoundImage } from "./read-request.ts";

export interface ImageDeps {
  readonly assets: Pick<Assets, "ownAsset" | "bytes">;
}

// Base64 turns three bytes into four characters, and the partner's limit applies.
const handedOverBytesMax = 35 * 1024 * 1024;

// The edits that insert our own files. Throws invalid_request naming the field.
export async function handOverImages(
  deps: ImageDeps,
  rules: readonly ImageRule[],
  images: readonly FoundImage[],
): Promise<JsonEdit[]> {
  const edits: JsonEdit[] = [];
  let left = handedOverBytesMax;
  for (const { rule: index, pointer, start, end, text } of images) {
    const rule = rules[index];
    if (!rule) continue;
    const field = pointer.slice(1).replaceAll("/", ".");
    const asset = await judge(deps, rule, field, text);
    if (asset === null || rule.own === "url") continue;
    const bytes = await deps.assets.bytes(asset, left).catch((thrown: unknown) => {
      throw thrown instanceof Fault && thrown.code === "payload_too_large" ? tooLarge(field) : thrown;
    });
    left -= bytes.byteLength;
    edits.push({ start, end, text: handedOver(rule, asset, bytes) });
  }
  return edits;
}

// Null if it is not one of our files.
async function judge(deps: ImageDeps, rule: ImageRule, field: string, text: FoundImage["text"]): Promise<Asset | null> {
  // A URL longer than this is refused for its length.
  const value = text.head;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(value)?.[1]?.toLowerCase();
  if (scheme === undefined || (scheme === "data" && rule.base64)) {
    if (rule.base64 && (scheme === "data" || isBase64(text))) return null;
    throw refused(field, rule.base64 ? "must be base64 or a URL" : mustBe(rule));
  }
  const url = URL.parse(value);
  const own = url && (await ownAsset(deps, field, url));
  if (own) return own;
  const verdict = checkTarget(value, { allowHttp: rule.schemes.includes("http") });
  if (!verdict.ok) throw refused(field, verdict.reason === "too_long" ? tooLong : mustBe(rule, verdict.reason));
  if (!rule.schemes.includes(verdict.url.protocol === "https:" ? "https" : "http")) throw refused(field, mustBe(rule));
  if (rule.hosts && !rule.hosts.includes(verdict.host))
    throw refused(field, "names a host that is not on the allow list");
  return null;
}

async function ownAsset({ assets }: ImageDeps, field: string, url: URL): Promise<Asset | null> {
  try {
    return await assets.ownAsset(url);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "forbidden")
      throw refused(field, "is a URL of this server that is invalid, has expired, or leads to no file");
    throw thrown;
  }
}

const tooLong = "must be at most 2048 characters";

function mustBe(rule: ImageRule, reason?: EgressRefusal): string {
  const schemes = rule.schemes.length === 2 ? "http or https" : rule.schemes[0];
  return reason === "malformed"
    ? "must be a URL"
    : `must be an ${schemes} URL of a public host on the default port, without a user name or password`;
}

function refused(field: string, problem: string): Fault {
  return new Fault("invalid_request", `The request is not valid: ${field} ${problem}.`, {
    details: [{ path: `/${field.replaceAll(".", "/")}`, keyword: "format", message: problem }],
  });
}

function tooLarge(field: string): Fault {
  return new Fault("payload_too_large", `The file at ${field} is too large to send to the partner.`);
}

function handedOver(rule: ImageRule, asset: Asset, bytes: Buffer): Buffer {
  const prefix = rule.own === "data_url" ? `data:${asset.servedType};base64,` : "";
  return Buffer.from(`"${prefix}${bytes.toString("base64")}"`);
}

// Both alphabets, with line breaks. For long ones only the start and the end are checked: the partner decodes them anyway.
function isBase64({ head, tail }: FoundImage["text"]): boolean {
  const pattern = /^[A-Za-z0-9+/_=\r\n-]+$/;
  return pattern.test(head) && pattern.test(tail);
}
