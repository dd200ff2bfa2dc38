// The first five minutes of each kind of person, from one page to the next, as they would go, including what they would
// do in a terminal.
import { describe, test } from "node:test";
import { developer } from "./persona-developer.ts";
import { newcomer } from "./persona-newcomer.ts";
import { operator } from "./persona-operator.ts";
import { publisher } from "./persona-publisher.ts";
import { studioPerson } from "./persona-studio.ts";
import type { LookName, Scene } from "./scene.ts";

const all: readonly LookName[] = ["light", "dark", "phone"];
const wanted = process.env["ATELIER_TEST_LOOKS"]?.split(",");

export function personaPages(scene: () => Scene): void {
  for (const look of all.filter((name) => wanted?.includes(name) ?? true))
    describe(`first five minutes, ${look}`, () => {
      test("newcomer: a prompt becomes a picture, found again; a model replays without a charge, is compared, and runs as code", () =>
        newcomer(scene(), look));
      test("developer: a call from a terminal shows in the console, is changed, goes into a program; an error has one id and says why", () =>
        developer(scene(), look));
      test("operator: checks, a tested provider credential, a drained worker, a key with a cap, and what a monitor asks for", () =>
        operator(scene(), look));
      test("publisher: created in place, a node from a terminal becomes active live, a flagged one is appealed, a price rule", () =>
        publisher(scene(), look));
      test("studio person: compares, runs with changes, watches, stars and shares; saves a dropped graph and runs a batch", () =>
        studioPerson(scene(), look));
    });
}
