// Whether a definition's price is one that can be held and charged; the other half of checking a definition.
import { validatePrice } from "../../capabilities/prices/index.ts";
import type { DefinitionChecks } from "../../capabilities/providers/index.ts";

export const priceChecks: DefinitionChecks = {
  priceProblems(price) {
    const validated = validatePrice(price);
    return validated.ok ? [] : validated.problems;
  },
};
