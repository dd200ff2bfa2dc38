// Definitions as text, for people who write one: to start from, and checked with a line for every finding.
import { CheckProviderDefinition, type DefinitionCheck, operations } from "@atelier/contract";
import type { TextCheck } from "../../../capabilities/conformance/index.ts";
import type { AdminCaller } from "../../../capabilities/tokens/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type Route, route } from "../../../foundation/http/area.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import { freshAnswer } from "../fresh-answer.ts";

export interface DefinitionText {
  readonly source: "admin" | "file" | "built_in";
  readonly version: number | null;
  readonly definition: string;
  readonly fixtures: string | null;
}

export interface ProviderDefinitionDeps {
  readonly definitionTexts: {
    // Null if there is no such provider.
    read(provider: string): Promise<DefinitionText | null>;
    check(texts: { definition: string; fixtures: string | null; model: string | null }): Promise<TextCheck>;
  };
}

// Two texts of up to a million characters each.
const bodyBytesMax = 4 * 1024 * 1024;

export function getProviderDefinitionRoute({ definitionTexts: texts }: ProviderDefinitionDeps): Route<AdminCaller> {
  return route(operations.getProviderDefinition, async ({ params }) => {
    const provider = params["provider"] ?? "";
    const found = /^[a-z0-9._-]{1,64}$/.test(provider) ? await texts.read(provider) : null;
    if (found === null) throw new Fault("not_found", "There is no such provider.");
    return freshAnswer(200, { provider, ...found });
  });
}

export function checkProviderDefinitionRoute({ definitionTexts: texts }: ProviderDefinitionDeps): Route<AdminCaller> {
  return {
    ...route(operations.checkProviderDefinition, async (incoming) => {
      const { definition, fixtures, model } = requireValid(CheckProviderDefinition, await incoming.json());
      const found = await texts.check({ definition, fixtures: fixtures ?? null, model: model ?? null });
      const check: DefinitionCheck = {
        ...found,
        models: [...found.models],
        findings: [...found.findings],
        prices: found.prices.map(({ model: of, usd, exampleUsd }) => ({ model: of, usd, example_usd: exampleUsd })),
      };
      return freshAnswer(200, check);
    }),
    bodyBytesMax,
  };
}
