// The two areas of price badges: the public read, and the operators' table behind it.
import { operations } from "@atelier/contract";
import { type Area, type Arrival, area, routesOf } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";
import * as adminBadges from "./admin-badges.route.ts";
import { type BadgeAdministrationDeps, badgeAdministration } from "./badge-administration.ts";
import type { BadgeMaps } from "./badge-maps.ts";
import { getBadgesRoute } from "./get-badges.route.ts";

// Spec, Authentication: none. Open CORS: clients call from pages of other origins.
export function priceBadges(deps: { readonly maps: Pick<BadgeMaps, "current"> }): Area {
  return area({
    name: "price-badges",
    prefixes: [operations.getBadges.path],
    authenticate: null,
    envelope: genericEnvelope,
    routes: [getBadgesRoute(deps)],
    cors: "open",
  });
}

export interface PriceBadgesAdminDeps<Caller>
  extends BadgeAdministrationDeps,
    Pick<adminBadges.AdminBadgeDeps<Caller>, "actorOf"> {
  // Throws unauthorized or forbidden unless the request comes from an operator.
  authenticate(arrival: Arrival): Caller | Promise<Caller>;
}

export function priceBadgesAdmin<Caller>(deps: PriceBadgesAdminDeps<Caller>): Area {
  return area<Caller>({
    name: "price-badges-admin",
    prefixes: [operations.listBadgeRows.path],
    authenticate: (arrival) => deps.authenticate(arrival),
    envelope: genericEnvelope,
    routes: routesOf(
      { badges: badgeAdministration(deps), actorOf: (caller: Caller) => deps.actorOf(caller) },
      adminBadges,
    ),
    cors: "listed",
  });
}
