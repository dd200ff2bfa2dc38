// The areas as clients of the dialect see them: the same routes, with the bodies of the named operations respelled. Only whole
// JSON bodies are changed: answers of models, files and event streams pass unchanged.
import type { Operation } from "@atelier/contract";
import type { Answer, Area, BytesAnswer, Incoming, Route } from "../../foundation/http/area.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import {
  type Asked,
  createdKeyAnswer,
  documentAnswer,
  jobListAnswer,
  type RespellAnswer,
  registryAnswer,
} from "./answer-bodies.ts";
import { markedTag, ownTags } from "./etags.ts";
import { respelledRegistryBody, respelledSubmission } from "./request-bodies.ts";
import { type RouterShapesDeps, withRouterShapes } from "./router-shapes.ts";
import type { Variant } from "./variants.ts";

interface BodySpelling {
  readonly request?: (bytes: Buffer) => Buffer;
  readonly answer?: RespellAnswer;
  // Only on surfaces that have this variant. On all if absent.
  readonly variant?: Variant;
}

const byOperation: ReadonlyMap<string, BodySpelling> = new Map<string, BodySpelling>([
  ["submitJob", { request: respelledSubmission }],
  ["createEstimate", { request: respelledSubmission }],
  ["listJobs", { answer: jobListAnswer, variant: "job list" }],
  ["createKey", { answer: createdKeyAnswer, variant: "shown keys" }],
  ["rotateKey", { answer: createdKeyAnswer, variant: "shown keys" }],
  ["getOpenApi", { answer: documentAnswer, variant: "shown keys" }],
  ["getRegistryOpenApi", { answer: documentAnswer, variant: "shown keys" }],
]);

const registry: BodySpelling = { request: respelledRegistryBody, answer: registryAnswer };
const registryTags: ReadonlySet<string> = new Set(["Node registry", "Node registry administration"]);

export interface RespellDeps extends RouterShapesDeps {
  readonly variants: ReadonlySet<Variant>;
}

export function respelledAreas(areas: readonly Area[], deps: RespellDeps): readonly Area[] {
  const shaped = deps.variants.has("router shapes") ? areas.map((area) => withRouterShapes(area, deps)) : areas;
  return shaped.map((area) => ({ ...area, routes: area.routes.map((route) => respelledRoute(route, deps)) }));
}

function spellingOf({ id, tag }: Operation, { variants }: RespellDeps): BodySpelling | undefined {
  const spelling = byOperation.get(id) ?? (registryTags.has(tag) ? registry : undefined);
  return spelling?.variant === undefined || variants.has(spelling.variant) ? spelling : undefined;
}

function respelledRoute<Caller>(route: Route<Caller>, deps: RespellDeps): Route<Caller> {
  const { rim } = deps;
  const spelling = spellingOf(route.operation, deps);
  if (spelling === undefined) return route;
  const { request, answer: respell } = spelling;
  const reading = request === undefined ? route : { ...route, respellBody: request };
  if (respell === undefined) return reading;
  const answered = respeller(respell);
  return {
    ...reading,
    handle(incoming) {
      showOwnTags(incoming);
      const asked = { headers: incoming.headers, path: incoming.path, isTheirs: rim.isTheirs(incoming.headers) };
      const answer = route.handle(incoming);
      return answer instanceof Promise ? answer.then((ready) => answered(ready, asked)) : answered(answer, asked);
    },
  };
}

function showOwnTags<Caller>({ headers }: Incoming<Caller>): void {
  const held = headers["if-none-match"];
  if (held === undefined) return;
  const own = ownTags(held);
  if (own === undefined) delete headers["if-none-match"];
  else headers["if-none-match"] = own;
}

function respeller(respell: RespellAnswer): (answer: Answer, asked: Asked) => Answer {
  // Prepared bodies are respelled once per spelling, and dropped with their answers.
  const kept = { ours: new WeakMap<Uint8Array, string>(), theirs: new WeakMap<Uint8Array, string>() };
  const respelledText = (body: string | Uint8Array, asked: Asked): string | null => {
    if (typeof body === "string") return respelledJson(body, respell, asked);
    const known = asked.isTheirs ? kept.theirs : kept.ours;
    const made = known.get(body) ?? respelledJson(Buffer.from(body).toString("utf8"), respell, asked);
    if (made !== null) known.set(body, made);
    return made;
  };
  return (answer, asked) => {
    if ("takeOver" in answer) return answer;
    if (answer.status === 304) return { ...answer, headers: taggedHeaders(answer) };
    const { body } = answer;
    if (!isPlainJson(answer) || !(typeof body === "string" || body instanceof Uint8Array)) return answer;
    const text = respelledText(body, asked);
    return text === null ? answer : { ...answer, headers: taggedHeaders(answer), body: text };
  };
}

function isPlainJson({ status, headers }: BytesAnswer): boolean {
  const type = headers?.["content-type"];
  const isWhole = headers?.["content-encoding"] === undefined && headers?.["content-length"] === undefined;
  return status < 400 && isWhole && typeof type === "string" && type.startsWith("application/json");
}

function taggedHeaders({ headers = {} }: BytesAnswer): NonNullable<BytesAnswer["headers"]> {
  const { etag } = headers;
  return typeof etag === "string" ? { ...headers, etag: markedTag(etag) } : headers;
}

function respelledJson(text: string, respell: RespellAnswer, asked: Asked): string | null {
  const value: unknown = JSON.parse(text);
  if (Array.isArray(value))
    return JSON.stringify(value.map((entry) => (isRecord(entry) ? respell(entry, asked) : entry)));
  return isRecord(value) ? JSON.stringify(respell(value, asked)) : null;
}
