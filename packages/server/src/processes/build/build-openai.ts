import { allMappings, openaiEntrance } from "../../areas/openai/index.ts";
import { type Area, area } from "../../foundation/http/area.ts";
import { speaksOpenai } from "../../surfaces/dialect/index.ts";
import type { ServiceDeps, Services } from "./build-services.ts";

export async function openaiAreas(deps: ServiceDeps, { models }: Services): Promise<readonly Area[]> {
  const { config, capabilities, clock } = deps;
  if (!speaksOpenai(config.dialect)) return [];
  const { identity, limits } = capabilities;
  return [
    area(
      openaiEntrance({
        authenticate: (arrival) => identity.authenticate(arrival),
        admitRate: (caller) => limits.admit(caller.workspaceId, "router_and_partner"),
        models: models.models,
        mappings: await allMappings(config.openaiMappings),
        clock,
        creditsPerUsd: config.creditsPerUsd,
        formBytesMax: config.routerBodyBytesMax,
      }),
    ),
  ];
}
