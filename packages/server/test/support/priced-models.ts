// Every sandbox model and every shipped model, prepared and priced as a server would.
import { sandboxModels } from "@atelier/sandbox";
import { checkSecret } from "../../src/capabilities/conformance/led-home.ts";
import { shippedDefinition, shippedNames } from "../../src/capabilities/model-calls/catalog/shipped-providers.ts";
import { type Price, priceOf, validatePrice } from "../../src/capabilities/prices/index.ts";
import { prepareModels, type ServedModel, sandboxDefinition } from "../../src/capabilities/providers/index.ts";
import { systemClock } from "../../src/foundation/clock.ts";

export interface PricedModel extends ServedModel {
  readonly price: Price;
}

export async function pricedModels(): Promise<readonly PricedModel[]> {
  const sandbox = sandboxDefinition("http://127.0.0.1:1", sandboxModels, { kind: "none" });
  const shipped = await Promise.all((await shippedNames()).map(shippedDefinition));
  return [sandbox, ...shipped.filter((one) => one !== null)].flatMap((definition) => {
    const credentialOf = () => checkSecret(definition);
    return prepareModels({ clock: systemClock, credentialOf }, definition, null).map((model) => {
      const validated = validatePrice(model.definition.price);
      if (!validated.ok) throw new Error(`${model.id}: ${validated.problems.join(" ")}`);
      return { ...model, price: priceOf(validated.definition, 211) };
    });
  });
}
