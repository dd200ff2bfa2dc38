// How long clients and shared caches may keep the badges (decisions, section 2). A setting can override it.
import { limits } from "@atelier/contract";

export const defaultBadgeCacheControl = [
  "public",
  `max-age=${limits.badgeMaxAgeSeconds}`,
  `stale-while-revalidate=${limits.badgeStaleWhileRevalidateSeconds}`,
  `stale-if-error=${limits.badgeStaleIfErrorSeconds}`,
].join(", ");
