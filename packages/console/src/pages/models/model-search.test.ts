import assert from "node:assert/strict";
import { test } from "node:test";
import { languages as shown } from "../../ui/snippets/clients.ts";
import { languages } from "./model-search.ts";

test("a model's code is offered in the languages of every other page, in their order", () => {
  assert.deepEqual(
    [...languages],
    shown.map(({ name }) => name),
  );
});
