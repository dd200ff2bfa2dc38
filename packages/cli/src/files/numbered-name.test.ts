import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { numberedName } from "./numbered-name.ts";

test("a free name stays; a counter continues from the highest of its kind, with any gaps below it", () => {
  assert.equal(numberedName("fox_00001_.png", []), "fox_00001_.png");
  assert.equal(numberedName("fox_00001_.png", ["fox_00001_.png", "fox_00007_.png"]), "fox_00008_.png");
  assert.equal(numberedName("fox_00001_.png", ["fox_00002_.png"]), "fox_00003_.png", "by name is by time");
  assert.equal(numberedName("fox_00009_.png", ["fox_00002_.png"]), "fox_00009_.png");
  assert.equal(numberedName("fox_00001_.png", ["fox_00001_.txt", "foxes_00004_.png"]), "fox_00001_.png");
  assert.equal(numberedName("fox_99999_.png", ["fox_99999_.png"]), "fox_100000_.png");
});

test("a name without a counter gets one when it is taken, from 2 on", () => {
  assert.equal(numberedName("photo.png", ["other.png"]), "photo.png");
  assert.equal(numberedName("photo.png", ["photo.png"]), "photo_00002_.png");
  assert.equal(numberedName("photo.png", ["photo.png", "photo_00002_.png", "photo_00005_.png"]), "photo_00006_.png");
  assert.equal(numberedName("notes", ["notes"]), "notes_00002_");
  assert.equal(numberedName("shot_20261116_a.png", ["shot_20261116_a.png"]), "shot_20261116_a_00002_.png", "a date");
  const long = "hash_12345678901234567890_.png";
  assert.equal(numberedName(long, [long]), "hash_12345678901234567890__00002_.png");
});

test("the new name is always free and keeps its beginning and its extension", () => {
  const name = fc.constantFrom("a.png", "a_00001_.png", "a_00002_.png", "a_00010_.png", "a", "a_99999_.png");
  fc.assert(
    fc.property(name, fc.array(name), (wanted, there) => {
      const all = new Set<string>(there);
      for (let turn = 0; turn < 4; turn++) {
        const free = numberedName(wanted, all);
        assert.ok(!all.has(free), free);
        assert.equal(free.endsWith(".png"), wanted.endsWith(".png"));
        all.add(free);
      }
    }),
  );
});
