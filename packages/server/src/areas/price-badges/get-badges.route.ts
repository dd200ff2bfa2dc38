// The hottest read of the service: it chooses one of the prepared answers and builds nothing.
import { operations } from "@atelier/contract";
import { Fault } from "../../foundation/fault.ts";
import { type Route, route } from "../../foundation/http/area.ts";
import { answerChooser } from "../../foundation/http/prepared-answers.ts";
import { singleParameter } from "../../foundation/http/query.ts";
import { parseAppVersion } from "./app-version.ts";
import type { BadgeMaps } from "./badge-maps.ts";
import { isPlatform, type Platform } from "./badge-row.ts";

export function getBadgesRoute(deps: { readonly maps: Pick<BadgeMaps, "current"> }): Route<unknown> {
  const choose = answerChooser();
  return route(operations.getBadges, (incoming) => {
    const version = parseAppVersion(
      requireParameter(incoming.query, "app_version", "the client's version, such as 1.2.3"),
    );
    const platform = requirePlatform(requireParameter(incoming.query, "platform", "cloud or local"));
    return choose(deps.maps.current().find(version, platform), incoming);
  });
}

// Spec, Errors, rule 5: missing or invalid parameters are 400. A repeated one is invalid, because it asks for two answers.
function requireParameter(query: URLSearchParams, name: string, send: string): string {
  const parameter = singleParameter(query, name);
  if (parameter.kind === "value") return parameter.value;
  const what = { absent: "is missing", empty: "is empty", repeated: "was sent more than once" }[parameter.kind];
  throw refused(`The query parameter ${name} ${what}: send it once, with ${send}.`);
}

function requirePlatform(text: string): Platform {
  if (isPlatform(text)) return text;
  throw refused("The query parameter platform must be one of cloud and local, in lower case.");
}

function refused(message: string): Fault {
  return new Fault("invalid_request", message);
}
