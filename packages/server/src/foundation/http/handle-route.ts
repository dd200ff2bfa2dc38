// What stands between the HTTP entrance and a route's own function, and the two refusals that every area shares.
import { Fault } from "../fault.ts";
import type { Answer, Route } from "./area.ts";
import { requireKnownCoding } from "./body/read-body.ts";
import type { RoutedRequest } from "./incoming-request.ts";

export const documentPath = "/openapi.json";

// No id and no name holds a NUL character, and no database could look for one: such a path names nothing, whatever the
// operation behind it, and says so to those who may ask.
export function handle(route: Route<unknown>, incoming: RoutedRequest<unknown>): Answer | Promise<Answer> {
  if (incoming.path.includes("%00")) throw nothingHere(false);
  requireKnownCoding(incoming.headers["transfer-encoding"]);
  return route.handle(incoming);
}

// Whatever no schema caught on its way to the database.
export function unstorableText(cause: unknown): Fault {
  const words = "A text of the request holds the character U+0000, which cannot be stored.";
  return new Fault("invalid_request", words, { cause });
}

// Not every listener serves the document of what it serves.
// `hint`: where the path is one that a switch would open.
export function nothingHere(hasDocument: boolean, hint: string | null = null): Fault {
  const where = hasDocument ? ` GET ${documentPath} lists every operation.` : "";
  return new Fault("not_found", `There is nothing at this path.${hint === null ? where : ` ${hint}`}`);
}
