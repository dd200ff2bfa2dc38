import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FaultDesk, joined, noFaults, parseFaultOrder, partnerFaults, readFaultOf, submitFaultOf } from "./faults.ts";

test("every name is understood alone, in a list and as a text, and no other is", () => {
  for (const fault of partnerFaults) {
    assert.ok(parseFaultOrder(fault, undefined)?.faults.has(fault));
    assert.equal(parseFaultOrder([fault, "stuck"], 1)?.faults.has("stuck"), true);
  }
  assert.equal(parseFaultOrder(" stuck , callback_never ", undefined)?.faults.size, 2);
  const known: readonly string[] = partnerFaults;
  fc.assert(
    fc.property(
      fc.string().filter((name) => !name.split(",").every((part) => known.includes(part.trim()))),
      (name) => assert.equal(parseFaultOrder(name, undefined), null),
    ),
  );
});

test("seconds are from 0 to 900", () => {
  for (const seconds of [-1, 901, "x", Number.NaN]) assert.equal(parseFaultOrder("slow", seconds), null);
  assert.equal(parseFaultOrder("slow", "2.5")?.seconds, 2.5);
});

test("orders merge, and the first seconds count", () => {
  const order = joined(noFaults, { faults: new Set(["stuck"]), seconds: 3 }, { faults: new Set(["fail"]), seconds: 5 });
  assert.deepEqual([[...order.faults], order.seconds], [["stuck", "fail"], 3]);
  assert.deepEqual([submitFaultOf(order), readFaultOf(order)], ["fail", null]);
});

test("a desk hands out each order as often as meant, to the right recipient", () => {
  const desk = new FaultDesk();
  desk.add("partner-a", { faults: new Set(["stuck"]), seconds: null }, 2);
  desk.add("partner-a", { faults: new Set(["read_fail"]), seconds: null }, 1);
  assert.equal(desk.take("partner-b", false).faults.size, 0);
  assert.ok(desk.take("partner-a", true).faults.has("read_fail"));
  assert.equal(desk.take("partner-a", true).faults.size, 0);
  assert.deepEqual(
    [1, 2, 3].map(() => desk.take("partner-a", false).faults.has("stuck")),
    [true, true, false],
  );
  desk.add("partner-b", { faults: new Set(["fail"]), seconds: 1 }, 5);
  assert.equal(desk.list().length, 1);
  desk.clear();
  assert.equal(desk.list().length, 0);
});
