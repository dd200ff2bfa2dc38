// Checks that the provider received what its documentation asks for: method, path, headers with our credential, and the
// caller's bytes. Each difference is a sentence.
import { createHmac, timingSafeEqual } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { ModelDefinition } from "../providers/index.ts";
import type { ExpectedRequest, ModelFixtures } from "./fixtures.ts";
import type { Ran } from "./run-exchange.ts";
import type { SeenRequest } from "./scripted-provider.ts";

export interface RequestCheck {
  readonly model: ModelDefinition;
  readonly fixtures: ModelFixtures;
  readonly secret: string;
  // How many submissions were expected; the remaining requests are polls.
  readonly submissions: number;
}

export function requestProblems(check: RequestCheck, ran: Ran): string[] {
  const { model, fixtures } = check;
  const asks = ran.requests.slice(check.submissions);
  const isFetched = model.poll?.fetch !== undefined && fixtures.fetch !== undefined;
  const known = [fixtures.poll, isFetched ? fixtures.fetch : undefined].filter((each) => each !== undefined);
  return [
    ...ran.foreignHosts.map((host) => `a request would have gone to ${host}, which is not one of the provider's hosts`),
    ...ran.requests
      .slice(0, check.submissions)
      .flatMap((request, index) => [
        ...submissionProblems(check, ran, request),
        ...requestHeaderProblems(check.secret, fixtures.submit, request, ran.times[index]),
      ]),
    ...asks.flatMap((request, index) => {
      const expected = known.find(({ path }) => path === request.path);
      const time = ran.times[check.submissions + index];
      if (request.method !== "GET") return [`it polled with ${request.method} instead of GET`];
      return expected
        ? requestHeaderProblems(check.secret, expected, request, time)
        : [`it polled ${request.path}; ${documented(known)}`];
    }),
  ];
}

function documented(known: readonly ExpectedRequest[]): string {
  if (known.length === 0) return 'the fixtures do not describe the poll request: add "poll"';
  return `documented: ${known.map(({ path }) => path).join(" or ")}`;
}

function submissionProblems({ model, fixtures }: RequestCheck, ran: Ran, request: SeenRequest): string[] {
  const { submit } = fixtures;
  const problems: string[] = [];
  if (request.method !== "POST") problems.push(`it was submitted with ${request.method} instead of POST`);
  if (request.path !== submit.path) problems.push(`it was submitted to ${request.path}; documented: ${submit.path}`);
  const isForm = model.submit.encoding === "multipart";
  if (!isForm && !request.body.equals(ran.sentBytes)) problems.push("the provider did not get the caller's bytes");
  const members = isForm ? formMembers(request) : jsonMembers(request);
  for (const [name, value] of Object.entries(submit.body ?? {})) {
    const given = members.get(name);
    const wanted = isForm && typeof value !== "string" ? JSON.stringify(value) : value;
    if (!isDeepStrictEqual(given, wanted))
      problems.push(`the body's ${name} is ${JSON.stringify(given)}; documented: ${JSON.stringify(wanted)}`);
  }
  return problems;
}

function jsonMembers({ body }: SeenRequest): Map<string, unknown> {
  const value: unknown = JSON.parse(body.toString());
  return new Map(Object.entries(typeof value === "object" && value !== null ? value : {}));
}

function formMembers({ headers, body }: SeenRequest): Map<string, unknown> {
  const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(headers["content-type"] ?? "")?.[1];
  if (boundary === undefined) return new Map();
  const parts = body.toString("latin1").split(`--${boundary}`).slice(1, -1);
  return new Map(
    parts.map((part) => {
      const [head = "", ...rest] = part.split("\r\n\r\n");
      const name = /name="([^"]*)"/.exec(head)?.[1] ?? "";
      return [name, Buffer.from(rest.join("\r\n\r\n").slice(0, -2), "latin1").toString()];
    }),
  );
}

export function requestHeaderProblems(
  secret: string,
  expected: ExpectedRequest,
  request: SeenRequest,
  time?: Date,
): string[] {
  return Object.entries(expected.headers ?? {}).flatMap(([name, wanted]) => {
    const given = String(request.headers[name.toLowerCase()] ?? "");
    if (wanted.includes("{jwt}")) {
      const [before = "", after = ""] = wanted.split("{jwt}");
      const token = given.slice(before.length, given.length - after.length);
      const isWhole = given === `${before}${token}${after}`;
      const problem = isWhole ? tokenProblem(token, secret, time) : "has the wrong form";
      return problem === null ? [] : [`the header ${name} ${problem}`];
    }
    if (given === wanted.replaceAll("{credential}", secret)) return [];
    const shown = given === "" ? "missing" : `"${given.replaceAll(secret, "{credential}")}"`;
    return [`the header ${name} is ${shown}; documented: "${wanted}"`];
  });
}

// By the clock of the run, because the real provider would refuse an expired token too.
function tokenProblem(token: string, pair: string, time: Date | undefined): string | null {
  const [head = "", claims = "", signature = ""] = token.split(".");
  const [id = "", secret = ""] = pair.split(":");
  const wanted = createHmac("sha256", secret).update(`${head}.${claims}`).digest();
  const given = Buffer.from(signature, "base64url");
  if (given.byteLength !== wanted.byteLength || !timingSafeEqual(given, wanted))
    return "has a token with a wrong signature";
  const value: unknown = JSON.parse(Buffer.from(claims, "base64url").toString());
  if (typeof value !== "object" || value === null) return "has a token without claims";
  if (Reflect.get(value, "iss") !== id) return "has a token with the wrong issuer";
  const seconds = (time?.getTime() ?? 0) / 1000;
  return Number(Reflect.get(value, "exp")) > seconds ? null : "has an expired token";
}
