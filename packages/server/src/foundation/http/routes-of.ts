// The routes of route files: every handler that a file exports under the name of its operation and `Route`. A handler cannot be
// written and then forgotten.
import type { Route } from "./area.ts";

// A route file as a module. Whatever else it exports does not count.
interface RouteFile<Caller, Deps> {
  readonly [name: `${string}Route`]: (deps: Deps) => Route<Caller>;
}

export function routesOf<Caller, Deps>(deps: Deps, ...files: readonly RouteFile<Caller, Deps>[]): Route<Caller>[] {
  return files.flatMap((file) =>
    Object.entries(file).flatMap(([name, handler]) => (name.endsWith("Route") ? handler(deps) : [])),
  );
}

// What all handlers of these files together take.
export type DepsOf<Files extends readonly object[]> = Files[number] extends RouteFile<never, infer Deps> ? Deps : never;
