// Checks that a definition's price can be held and charged: the other half of checking a definition.
import { validatePrice } from "./validate-price.ts";

export const priceChecks = {
  priceProblems(price: unknown): readonly string[] {
    const validated = validatePrice(price);
    return validated.ok ? [] : validated.problems;
  },
};
