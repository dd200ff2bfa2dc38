// The routes that start tasks, one per operation of a definition. The answer is written by hand, because whether it could be
// delivered decides how a blind retry is treated (decisions, section 4).
import type { Principal } from "../../capabilities/identity/index.ts";
import type { PartnerTasks, Started } from "../../capabilities/partner-tasks/index.ts";
import type { Partner, PartnerOperation, PricedOperation } from "../../capabilities/partners/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Answer, Incoming, Route } from "../../foundation/http/area.ts";
import { requireIdentityEncoding, requireMediaType } from "../../foundation/http/body/read-body.ts";
import { readIdempotencyKey } from "../../foundation/http/idempotency-key.ts";
import { fingerprintHead } from "../../foundation/http/request-fingerprint.ts";
import type { JsonEdit, MemberPosition } from "../../foundation/json/json-spans.ts";
import { readLabels } from "../../foundation/json/labels.ts";
import { durationHeaders, type ExtraHeaders } from "./extra-headers.ts";
import { handOverImages, type ImageDeps } from "./hand-over-images.ts";
import { startOperation } from "./partner-operations.ts";
import type { RequestReading, RequestRules } from "./read-request.ts";
import type { RequestReader } from "./request-reader.ts";

export interface StartRouteDeps extends ImageDeps {
  readonly tasks: Pick<PartnerTasks, "start" | "answered">;
  readonly requests: Pick<RequestReader, "read">;
  readonly bodyBytesMax: number;
  readonly extraHeaders: ExtraHeaders;
  // Null if we may call it. Otherwise what is wrong with it.
  checkWebhookUrl(url: string): string | null;
  requireEntitlement(caller: Principal, id: string): Promise<void>;
}

export function startTaskRoute(deps: StartRouteDeps, partner: Partner, priced: PricedOperation): Route<Principal> {
  const { definition } = partner;
  const { operation } = priced;
  const rules = rulesOf(partner, operation);
  return {
    operation: startOperation(definition, operation),
    bodyBytesMax: deps.bodyBytesMax,
    async handle(incoming) {
      await deps.requireEntitlement(incoming.caller, entitlementOf(definition.partner, operation.name));
      requireMediaType(incoming.headers, "application/json");
      requireIdentityEncoding(incoming.headers);
      const idempotencyKey = readIdempotencyKey(incoming.rawHeaders);
      const jobId = readJobId(incoming);
      const labels = readLabels(incoming.rawHeaders);
      const bytes = await incoming.bytes();
      const reading = await deps.requests.read(rules, fingerprintHead(incoming), bytes, incoming.caller.workspaceId);
      const checked = await check(deps, partner, operation, reading);
      // Problems with the request are reported first: they remain when the partner is configured.
      if (partner.baseUrl === null) throw checked.refusal ?? notConfigured();
      incoming.waitsForOthers();
      const started = await deps.tasks.start({
        workspaceId: incoming.caller.workspaceId,
        apiKeyId: incoming.caller.keyId,
        requestId: incoming.requestId,
        labels,
        partner,
        priced,
        bytes,
        ...checked,
        fingerprint: Buffer.from(reading.fingerprint),
        jobId,
        idempotencyKey,
        signal: incoming.signal,
      });
      const extra = await durationHeaders(deps.extraHeaders, `partner:${definition.partner}/${operation.name}`);
      return answered(deps, operation.status, started, extra);
    },
  };
}

function notConfigured(): Fault {
  return new Fault("service_unavailable", "This partner is not configured on this server.", { retryAfterSeconds: 60 });
}

function rulesOf({ definition }: Partner, operation: PartnerOperation): RequestRules {
  return {
    schema: operation.schema,
    price: operation.price,
    images: (operation.images ?? []).map(({ pointer }) => pointer),
    callbackMember: definition.callback?.member ?? null,
    view: definition.view,
  };
}

interface Checked {
  readonly pricedInput: unknown;
  readonly edits: readonly JsonEdit[];
  readonly callbackPosition: MemberPosition | null;
  readonly echo: Readonly<Record<string, string>>;
  readonly webhookUrl: string | null;
  readonly refusal: Fault | null;
}

// A problem is reported only after the key's look-up: a retry is answered as the first request was.
async function check(
  deps: StartRouteDeps,
  { definition }: Partner,
  operation: PartnerOperation,
  reading: RequestReading,
): Promise<Checked> {
  try {
    if (!reading.ok) throw new Fault(reading.code, reading.message, { details: reading.details });
    const { pricedInput, echo, callbackPosition } = reading;
    const webhookUrl = readWebhookUrl(deps, definition.callback?.member ?? "", reading.callback);
    const edits = await handOverImages(deps, operation.images ?? [], reading.images);
    return { pricedInput, edits, callbackPosition, echo, webhookUrl, refusal: null };
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.status >= 500) throw thrown;
    return { pricedInput: null, edits: [], callbackPosition: null, echo: {}, webhookUrl: null, refusal: thrown };
  }
}

function readWebhookUrl(deps: StartRouteDeps, member: string, url: unknown): string | null {
  if (url === undefined) return null;
  const problem = typeof url === "string" ? deps.checkWebhookUrl(url) : "must be a URL";
  if (problem !== null || typeof url !== "string")
    throw new Fault("invalid_request", `The request is not valid: ${member} ${problem}.`, {
      details: [{ path: `/${member}`, keyword: "format", message: problem }],
    });
  return url;
}

function readJobId({ headers }: Incoming<Principal>): string | null {
  const value = headers["x-service-job-id"];
  if (value === undefined) return null;
  if (typeof value === "string" && value.length >= 1 && value.length <= 255) return value;
  throw new Fault("invalid_request", "X-Service-Job-Id must have 1 to 255 characters.");
}

// Entitlements have two segments, so an operation with more is written with dots.
function entitlementOf(partner: string, operation: string): string {
  return `${partner}/${operation.replaceAll("/", ".")}`;
}

function answered(
  deps: StartRouteDeps,
  status: number,
  { taskId, body, isReplay, isWatched }: Started,
  extra: Readonly<Record<string, string>>,
): Answer {
  const bytes = Buffer.from(body);
  return {
    takeOver({ response, headers }) {
      response.once("close", () => {
        if (isWatched) deps.tasks.answered(taskId, response.writableFinished);
      });
      const own = ["content-type", "application/json; charset=utf-8", "cache-control", "no-store"];
      const size = ["content-length", String(bytes.byteLength)];
      const more = [...Object.entries(extra).flat(), ...(isReplay ? ["idempotent-replayed", "true"] : [])];
      response.writeHead(status, [...headers, ...own, ...size, ...more]);
      response.end(bytes);
    },
  };
}
