// The routes that start tasks, one for each operation of a definition. The answer is written by hand, because whether it
// could be delivered decides how a blind retry is taken (decisions, section 4).
import { createHash } from "node:crypto";
import type { Principal } from "../../capabilities/identity/index.ts";
import type { PartnerTasks, Started } from "../../capabilities/partner-tasks/index.ts";
import type { Partner, PricedOperation } from "../../capabilities/partners/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Answer, Incoming, Route } from "../../foundation/http/area.ts";
import { readIdempotencyKey } from "../../foundation/http/idempotency-key.ts";
import { requireIdentityEncoding, requireMediaType } from "../../foundation/http/read-body.ts";
import type { JsonEdit } from "../../foundation/json-spans.ts";
import { checkRequest } from "./check-request.ts";
import { handOverImages, type ImageDeps } from "./hand-over-images.ts";
import { startOperation } from "./partner-operations.ts";

export interface StartRouteDeps extends ImageDeps {
  readonly tasks: Pick<PartnerTasks, "start" | "answered">;
  readonly bodyBytesMax: number;
  // Null: may be called; else what is wrong with it.
  checkWebhookUrl(url: string): string | null;
  requireEntitlement(caller: Principal, id: string): Promise<void>;
}

export function startTaskRoute(deps: StartRouteDeps, partner: Partner, priced: PricedOperation): Route<Principal> {
  const { definition } = partner;
  const { operation } = priced;
  return {
    operation: startOperation(definition, operation),
    bodyBytesMax: deps.bodyBytesMax,
    async handle(incoming) {
      await deps.requireEntitlement(incoming.caller, entitlementOf(definition.partner, operation.name));
      requireMediaType(incoming.headers, "application/json");
      requireIdentityEncoding(incoming.headers);
      const idempotencyKey = readIdempotencyKey(incoming.rawHeaders);
      const jobId = readJobId(incoming);
      const bytes = await incoming.bytes();
      const checked = await check(deps, partner, priced, bytes);
      // What is wrong is told first: it stays wrong when the partner is there.
      if (partner.baseUrl === null) throw checked.refusal ?? notConfigured();
      incoming.waitsForOthers();
      const started = await deps.tasks.start({
        workspaceId: incoming.caller.workspaceId,
        apiKeyId: incoming.caller.keyId,
        requestId: incoming.requestId,
        partner,
        priced,
        bytes,
        ...checked,
        fingerprint: fingerprintOf(incoming, bytes),
        jobId,
        idempotencyKey,
        signal: incoming.signal,
      });
      return answered(deps, operation.status, started);
    },
  };
}

function notConfigured(): Fault {
  return new Fault("service_unavailable", "This partner is not configured on this server.", { retryAfterSeconds: 60 });
}

interface Checked {
  readonly document: unknown;
  readonly edits: readonly JsonEdit[];
  readonly webhookUrl: string | null;
  readonly refusal: Fault | null;
}

// What is wrong waits for the look-up of the key: a retry is answered as the first one was.
async function check(deps: StartRouteDeps, partner: Partner, priced: PricedOperation, bytes: Buffer): Promise<Checked> {
  try {
    const document = checkRequest(priced.operation.schema, bytes);
    const webhookUrl = readWebhookUrl(deps, partner, document);
    const edits = await handOverImages(deps, priced.operation.images ?? [], { bytes, document });
    return { document, edits, webhookUrl, refusal: null };
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.status >= 500) throw thrown;
    return { document: null, edits: [], webhookUrl: null, refusal: thrown };
  }
}

function readWebhookUrl(deps: StartRouteDeps, { definition }: Partner, document: unknown): string | null {
  const member = definition.callback?.member;
  if (member === undefined || typeof document !== "object" || document === null) return null;
  const url: unknown = Object.hasOwn(document, member) ? Reflect.get(document, member) : undefined;
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

function fingerprintOf({ method, path, queryText }: Incoming<Principal>, bytes: Buffer): Buffer {
  return createHash("sha256").update(`${method}\n${path}\n${queryText}\n`).update(bytes).digest();
}

// Entitlements name two segments; an operation of more is written with dots.
function entitlementOf(partner: string, operation: string): string {
  return `${partner}/${operation.replaceAll("/", ".")}`;
}

function answered(deps: StartRouteDeps, status: number, { taskId, body, isReplay, isWatched }: Started): Answer {
  const bytes = Buffer.from(body);
  return {
    takeOver({ response, headers }) {
      response.once("close", () => {
        if (isWatched) deps.tasks.answered(taskId, response.writableFinished);
      });
      const own = ["content-type", "application/json; charset=utf-8", "cache-control", "no-store"];
      const size = ["content-length", String(bytes.byteLength)];
      response.writeHead(status, [...headers, ...own, ...size, ...(isReplay ? ["idempotent-replayed", "true"] : [])]);
      response.end(bytes);
    },
  };
}
