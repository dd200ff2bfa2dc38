// The first five minutes of each kind of person, from one page to the next, as they would go, including what they would
// do in a terminal.
import { describe, test } from "node:test";
import { developer } from "./persona-developer.ts";
import { operator } from "./persona-operator.ts";
import { publisher } from "./persona-publisher.ts";
import { studioPerson } from "./persona-studio.ts";
import type { LookName, Scene } from "./scene.ts";

const all: readonly LookName[] = ["light", "dark", "phone"];
const wanted = process.env["ATELIER_TEST_LOOKS"]?.split(",");

export function personaPages(scene: () => Scene): void {
  for (const look of all.filter((name) => wanted?.includes(name) ?? true))
    describe(`first five minutes, ${look}`, () => {
      test("developer: a call from a terminal shows in the console, is changed, goes into a program; an error has one id", () =>
        developer(scene(), look));
      test("operator: checks, a tested provider credential, a key with a cap, and what a monitor asks for", () =>
        operator(scene(), look));
      test("publisher: created in place, a node from a terminal becomes active live, a price rule with three cases", () =>
        publisher(scene(), look));
      test("studio person: compares two pictures, runs one with changes, watches it, stars and shares it", () =>
        studioPerson(scene(), look));
    });
}
