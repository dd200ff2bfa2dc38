import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../../foundation/fault.ts";
import { type CatalogModel, createCatalog, requireModel } from "./catalog.ts";

const model = (id: string) => ({ id }) as CatalogModel;
const refused = (code: string) => (thrown: unknown) => thrown instanceof Fault && thrown.code === code;

test("an unknown model is refused with similar names from the list", () => {
  const catalog = createCatalog(["sandbox/image-1", "sandbox/video-1"].map(model));
  assert.throws(() => requireModel(catalog, "sandbox/imag-1"), /Did you mean sandbox\/image-1/);
  assert.throws(() => requireModel(catalog, "nothing/alike-at-all"), /GET \/v1\/models/);
  assert.throws(() => requireModel(catalog, null), refused("model_not_found"));
});
