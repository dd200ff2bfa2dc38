import assert from "node:assert/strict";
import { test } from "node:test";
import { webhookEvents, webhookEventTypes } from "@atelier/contract";
import { endpoints } from "#strings/webhooks/endpoints";
import { bodyOf, draftOf, eventTypes, groupOf, wrongIn } from "./endpoint-draft.ts";

test("every event that the server knows can be chosen, and is in a group with a name", () => {
  assert.deepEqual([...eventTypes].sort(), [...webhookEventTypes].sort());
  for (const type of eventTypes) assert.ok(endpoints.groups[groupOf(type)], type);
});

test("a filter is called wrong for exactly the events that it cannot ask about", () => {
  const texts = { tag: "a=b", model: "sandbox", deployment: "0198f3c2-6b1a-7c3d-9e4f-5a6b7c8d9e0f" };
  for (const { type, filters } of webhookEvents)
    for (const name of ["tag", "model", "deployment"] as const) {
      const draft = { ...draftOf(null), types: [type], [name]: texts[name] };
      assert.equal(
        wrongIn(draft)[name] === null,
        filters.some((each) => each === name),
        `${type} ${name}`,
      );
    }
});

test("what is empty is not sent, and what is missing is said", () => {
  const draft = { ...draftOf(null), url: " https://hooks.example/a ", tag: " project=spring ", types: [] };
  assert.deepEqual(bodyOf(draft).filter, { tag: "project=spring" });
  assert.equal(bodyOf(draft).url, "https://hooks.example/a");
  const wrong = wrongIn({ ...draft, url: " ", tag: "spring" });
  assert.deepEqual([wrong.url, wrong.types, wrong.tag].includes(null), false);
});
