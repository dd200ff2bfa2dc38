import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isAccepted } from "../../test/support/verdicts.ts";
import { RelightRequest, SkinEnhancerFlexibleRequest } from "./partner-a.ts";

const image = "https://images.example/a.png";

test("only the image is required", () => {
  assert.equal(isAccepted(RelightRequest, { image }), true);
  assert.equal(isAccepted(RelightRequest, {}), false);
  assert.equal(isAccepted(SkinEnhancerFlexibleRequest, { image }), true);
});

// Spec, Partner-a relight.
test("a lightmap and a reference image exclude each other", () => {
  const map = { transfer_light_from_lightmap: image };
  const reference = { transfer_light_from_reference_image: image };
  assert.equal(isAccepted(RelightRequest, { image, ...map }), true);
  assert.equal(isAccepted(RelightRequest, { image, ...reference }), true);
  assert.equal(isAccepted(RelightRequest, { image, ...map, ...reference }), false);
});

test("strengths are whole numbers from 0 to 100", () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: -20, max: 120 }), fc.double({ noNaN: true, min: 0, max: 100 })), (value) => {
      const fits = Number.isInteger(value) && value >= 0 && value <= 100;
      assert.equal(isAccepted(RelightRequest, { image, light_transfer_strength: value }), fits);
      assert.equal(isAccepted(SkinEnhancerFlexibleRequest, { image, sharpen: value }), fits);
      assert.equal(isAccepted(SkinEnhancerFlexibleRequest, { image, smart_grain: value }), fits);
    }),
  );
});

// Decisions, section 4: any numbers, not only whole ones.
test("the five tones are any numbers from 0 to 100", () => {
  for (const tone of ["whites", "blacks", "brightness", "contrast", "saturation"]) {
    assert.equal(isAccepted(RelightRequest, { image, advanced_settings: { [tone]: 33.3 } }), true);
    assert.equal(isAccepted(RelightRequest, { image, advanced_settings: { [tone]: 100.1 } }), false);
  }
});

test("undescribed members pass through", () => {
  assert.equal(isAccepted(RelightRequest, { image, next_years_option: { deep: true } }), true);
});
