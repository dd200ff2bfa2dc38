// Extracts everything we need from a request's bytes, in one pass: whether it is valid, the price's inputs, where its images
// and callback URL are, what a read of the task will show of it, and its fingerprint. The result is small, so that a large body
// can be read in a thread. A problem is returned as a value, because a retry under a key is answered as the first request was.
import { echoHeaders, type PartnerDefinition, type PartnerOperation } from "../../capabilities/partners/index.ts";
import { pricedInput } from "../../capabilities/prices/index.ts";
import { valueAt } from "../../capabilities/providers/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { FaultCode } from "../../foundation/fault-codes.ts";
import { requestFingerprint } from "../../foundation/http/request-fingerprint.ts";
import { type FoundSpan, findSpans, type MemberPosition, memberPosition } from "../../foundation/json/json-spans.ts";
import { checkRequest } from "./check-request.ts";

// The parts of an operation that reading depends on.
export interface RequestRules {
  readonly schema: PartnerOperation["schema"];
  readonly price: unknown;
  // Pointers to images, as the operation lists them.
  readonly images: readonly string[];
  readonly callbackMember: string | null;
  readonly view: PartnerDefinition["view"];
}

export interface FoundImage extends FoundSpan {
  // Which of the pointers led here.
  readonly rule: number;
  // The two ends of a long text; the partner checks the whole.
  readonly text: { readonly head: string; readonly tail: string; readonly length: number };
}

export interface RequestFacts {
  readonly pricedInput: unknown;
  readonly images: readonly FoundImage[];
  // The callback URL that the caller wrote. Undefined if there is none.
  readonly callback: unknown;
  readonly callbackPosition: MemberPosition | null;
  readonly echo: Readonly<Record<string, string>>;
}

export type RequestReading = { readonly fingerprint: Uint8Array } & (
  | ({ readonly ok: true } & RequestFacts)
  | { readonly ok: false; readonly code: FaultCode; readonly message: string; readonly details: unknown }
);

export function readRequest(rules: RequestRules, fingerprintHead: string, bytes: Buffer): RequestReading {
  const fingerprint = requestFingerprint(fingerprintHead, bytes);
  try {
    return { fingerprint, ok: true, ...factsOf(rules, bytes) };
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.status >= 500) throw thrown;
    return { fingerprint, ok: false, code: thrown.code, message: thrown.message, details: thrown.details };
  }
}

function factsOf(rules: RequestRules, bytes: Buffer): RequestFacts {
  const document = checkRequest(rules.schema, bytes);
  const { callbackMember: member } = rules;
  const isNamed =
    member !== null && typeof document === "object" && document !== null && Object.hasOwn(document, member);
  const given: unknown = isNamed ? Reflect.get(document, member) : undefined;
  return {
    pricedInput: pricedInput(rules.price, document),
    images: rules.images.flatMap((pointer, rule) => imagesAt(bytes, document, pointer, rule)),
    callback: typeof given === "string" || given === undefined ? shortened(given) : null,
    callbackPosition: member === null ? null : memberPosition(bytes, member),
    echo: bounded(echoHeaders(rules.view, bytes)),
  };
}

function imagesAt(bytes: Buffer, document: unknown, pointer: string, rule: number): FoundImage[] {
  return findSpans(bytes, pointer).flatMap((span) => {
    const value = valueAt(document, span.pointer);
    return typeof value === "string" ? [{ ...span, rule, text: endsOf(value) }] : [];
  });
}

// Longer than any URL that we would accept.
export const endLength = 4096;

function endsOf(text: string): FoundImage["text"] {
  return { head: text.slice(0, endLength), tail: text.slice(-endLength), length: text.length };
}

// A URL of this length is refused by its first characters just as well.
function shortened(text: string | undefined): string | undefined {
  return text?.slice(0, endLength);
}

// It is stored with the task and shown on every read.
const echoCharactersMax = 1024 * 1024;

function bounded(echo: Record<string, string>): Record<string, string> {
  for (const [pointer, text] of Object.entries(echo))
    if (text.length > echoCharactersMax)
      throw new Fault("payload_too_large", `${pointer.slice(1).replaceAll("/", ".")} is larger than 1 MiB.`);
  return echo;
}
