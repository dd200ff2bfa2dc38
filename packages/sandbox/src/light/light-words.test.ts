import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { planLight } from "./light-words.ts";

const lamp = (prompt: string) => {
  const [first] = planLight(prompt).lamps;
  assert.ok(first);
  return first;
};

test("sides are read, also two at a time", () => {
  assert.ok(lamp("light from the left").x < 0 && lamp("light from the right").x > 0);
  assert.ok(lamp("overhead lamp").y < 0 && lamp("lit from below").y > 0);
  const corner = lamp("from the upper left");
  assert.ok(corner.x < 0 && corner.y < 0);
  assert.ok(lamp("backlit").z < 0);
});

test("each clause is a lamp with its own colour; a colour without a place belongs to all", () => {
  const two = planLight("pink light from the left and cyan light from the right").lamps;
  assert.deepEqual(
    two.map(({ x, colour }) => [Math.sign(x), colour[0] > colour[1]]),
    [
      [-1, true],
      [1, false],
    ],
  );
  assert.deepEqual(lamp("red, from the left").colour, lamp("red light from the left").colour);
});

test("hours are dark or bright, neon has two lamps, no words mean a studio", () => {
  assert.ok(planLight("moonlight").exposure < planLight("sunset").exposure);
  assert.ok(planLight("sunset").exposure < planLight("noon").exposure);
  assert.equal(planLight("neon").lamps.length, 2);
  assert.equal(planLight("").lamps.length, 1);
});

test("an emphasis between 1 and 1.4 counts, and nothing beyond it", () => {
  const plain = lamp("light from the left").strength;
  const most = lamp("(light from the left:1.4)").strength;
  assert.ok(lamp("(light from the left:1.2)").strength > plain && most > lamp("(light from the left:1.2)").strength);
  assert.equal(lamp("(light from the left:9)").strength, most);
  assert.equal(lamp("(light from the left:0.1)").strength, plain);
});

test("any words give a plan of finite numbers", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (prompt) => {
      const { lamps, exposure, ambient } = planLight(prompt);
      assert.ok(
        [exposure, ...ambient, ...lamps.flatMap(({ x, y, z, strength }) => [x, y, z, strength])].every(Number.isFinite),
      );
    }),
  );
});
