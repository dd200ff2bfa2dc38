export { mapBytes, mapInput } from "./map-input.ts";
export type { StoredRoute } from "./model-route.ts";
export { noSuchRoute, presentRoute, readRouteName } from "./present-route.ts";
export { createRoutes, type Routes } from "./routes.ts";
