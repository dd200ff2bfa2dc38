// Areas whose surface is chosen per request. The routes come from a pattern; what a request is addressed to decides which areas
// of the same shape answer it. So v2 is written once, over one surface, and knows nothing of the choice.
import { invariant } from "../foundation/assert.ts";
import type { Area, Arrival } from "../foundation/http/area.ts";

export interface ByArrival {
  // Areas that look like the chosen ones: names, paths, envelopes, authentication.
  readonly pattern: readonly Area[];
  // A prefix of all paths, with parameters in braces.
  readonly mountPath: string;
  // Called once the caller is known, so that no one else learns what exists. Throws not_found.
  choose(arrival: Arrival): Promise<readonly Area[]>;
}

export function areasByArrival(options: ByArrival): Area[] {
  return options.pattern.map((pattern, at) => mounted(options, pattern, at));
}

function mounted({ mountPath, choose }: ByArrival, pattern: Area, at: number): Area {
  const areaFor = async (arrival: Arrival): Promise<Area> => {
    const area = (await choose(arrival))[at];
    invariant(
      area !== undefined && area.routes.length === pattern.routes.length,
      "chosen areas have the pattern's shape",
    );
    return area;
  };
  const admit: NonNullable<Area["admit"]> = async (caller, arrival) =>
    (await areaFor(arrival)).admit?.(caller, arrival);
  return {
    ...pattern,
    mountPath,
    // Everything below the mount path is behind the first area's guard and in its envelope.
    prefixes: at === 0 ? [...pattern.prefixes, ""] : pattern.prefixes,
    ...(pattern.admit === undefined ? {} : { admit }),
    routes: pattern.routes.map((route, index) => ({
      ...route,
      async handle(incoming) {
        const chosen = (await areaFor(incoming)).routes[index];
        invariant(chosen !== undefined, "chosen areas have the pattern's routes");
        return chosen.handle(incoming);
      },
    })),
  };
}
