// Decides whose key counts on the loopback port of the application's API. An application asks for no credential, so its tools
// send whatever they have: an empty bearer, another service's key, a user name. None of these count here. A key in our format
// does, even if it is invalid: the caller meant to use it.
import type { Arrival } from "../../foundation/http/area.ts";
import { isOurKey, ourKey } from "./keys.ts";

const credentialHeaders: ReadonlySet<string> = new Set(["authorization", "x-api-key"]);

export function withPortKey(arrival: Arrival, portKey: string): Arrival {
  const { headers, rawHeaders, requestId, method, path, queryText, peer, operation } = arrival;
  const sent = [headers["x-api-key"], bearerOf(headers.authorization)].find(
    (text) => typeof text === "string" && isOurKey(text),
  );
  const key = typeof sent === "string" ? ourKey(sent) : portKey;
  const others = Object.entries(headers).filter(([name]) => !credentialHeaders.has(name));
  const raw = rawHeaders.filter((_, at) => !credentialHeaders.has((rawHeaders[at - (at % 2)] ?? "").toLowerCase()));
  return {
    ...{ requestId, method, path, queryText, peer, operation },
    headers: { ...Object.fromEntries(others), "x-api-key": key },
    rawHeaders: [...raw, "x-api-key", key],
  };
}

const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
