// Runs between the HTTP entrance and a route's function. Also holds the two refusals that every area shares.
import { Fault } from "../fault.ts";
import type { Answer, Route } from "./area.ts";
import { requireKnownCoding } from "./body/read-body.ts";
import type { RoutedRequest } from "./incoming-request.ts";

export const documentPath = "/openapi.json";

// No id or name contains a NUL character, and no database could look one up. So such a path names nothing, whatever the
// operation, and the answer says so to callers who may ask.
export function handle(route: Route<unknown>, incoming: RoutedRequest<unknown>): Answer | Promise<Answer> {
  if (incoming.path.includes("%00")) throw nothingHere(false);
  requireKnownCoding(incoming.headers["transfer-encoding"]);
  return route.handle(incoming);
}

// For text that no schema caught before it reached the database.
export function unstorableText(cause: unknown): Fault {
  const words = "A string in the request contains the character U+0000, which cannot be stored.";
  return new Fault("invalid_request", words, { cause });
}

// `hasDocument`: not every listener serves its OpenAPI document.
// `hint`: set if a switch would enable this path.
export function nothingHere(hasDocument: boolean, hint: string | null = null): Fault {
  const where = hasDocument ? ` GET ${documentPath} lists every operation.` : "";
  return new Fault("not_found", `There is nothing at this path.${hint === null ? where : ` ${hint}`}`);
}
