import assert from "node:assert/strict";
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Fault } from "../../foundation/fault.ts";
import { newRing, type Ring, rotateRing } from "./ring.ts";
import { changeRingFile, createRingFile, readFileStamp, readRingFile, refusalOf } from "./ring-file.ts";
import { formatRing } from "./ring-text.ts";

const now = new Date();
const isRoot = process.getuid?.() === 0;
const rotated = (ring: Ring) => rotateRing(ring, { purposes: ["cursor"], leadSeconds: 300, now });
const refusedWith = (words: RegExp) => (thrown: unknown) =>
  thrown instanceof Fault && thrown.code === "service_unavailable" && words.test(thrown.message);

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "atelier-ring-"));
  try {
    await run(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe("who may hold the file", () => {
  const fine = { isFile: true, mode: 0o100600, uid: 7, size: 100 };
  test("its owner alone", () => {
    assert.equal(refusalOf(fine, 7), null);
    assert.equal(refusalOf({ ...fine, mode: 0o100400 }, 7), null);
  });
  for (let bits = 1; bits <= 0o77; bits++) {
    test(`not with mode ${(0o600 | bits).toString(8)}`, () => {
      assert.match(refusalOf({ ...fine, mode: 0o100600 | bits }, 7) ?? "", /chmod 600/);
    });
  }
  test("not somebody else, whoever we are: root neither", () => {
    assert.match(refusalOf({ ...fine, uid: 8 }, 7) ?? "", /chown/);
    assert.match(refusalOf({ ...fine, uid: 8 }, 0) ?? "", /chown/);
  });
  test("root for us: our group may read it, as a mounted secret; nothing more, and others nothing", () => {
    for (const mode of [0o400, 0o440, 0o600, 0o640])
      assert.equal(refusalOf({ ...fine, uid: 0, mode: 0o100000 | mode }, 7), null, mode.toString(8));
    for (const mode of [0o644, 0o444, 0o460, 0o450, 0o404, 0o402, 0o401])
      assert.match(refusalOf({ ...fine, uid: 0, mode: 0o100000 | mode }, 7) ?? "", /defaultMode/, mode.toString(8));
    assert.match(refusalOf({ ...fine, uid: 0, mode: 0o100440 }, 0) ?? "", /chmod 600/);
  });
  test("no folder and nothing endless", () => {
    assert.match(refusalOf({ ...fine, isFile: false }, 7) ?? "", /not a file/);
    assert.match(refusalOf({ ...fine, size: 2 ** 30 }, 7) ?? "", /larger/);
  });
  test("where the system knows no owners, modes are not asked for", () => {
    assert.equal(refusalOf({ ...fine, mode: 0o666 }, null), null);
  });
});

describe("the file", () => {
  test("is created for us alone, in a folder for us alone", () =>
    inFolder(async (folder) => {
      const path = join(folder, "home", "secrets.json");
      const ring = newRing(now);
      assert.equal(await createRingFile(path, ring), true);
      assert.equal((await stat(path)).mode & 0o777, 0o600);
      assert.equal((await stat(join(folder, "home"))).mode & 0o777, 0o700);
      assert.deepEqual(await readRingFile(path), ring);
      assert.deepEqual(await readdir(join(folder, "home")), ["secrets.json"]);
    }));

  test("of ten processes that create it at once one wins and all read the same ring", () =>
    inFolder(async (folder) => {
      const path = join(folder, "secrets.json");
      const won = await Promise.all(Array.from({ length: 10 }, () => createRingFile(path, newRing(now))));
      assert.equal(won.filter(Boolean).length, 1);
      assert.deepEqual(await readdir(folder), ["secrets.json"]);
    }));

  test("that is not there is no ring", () =>
    inFolder(async (folder) => {
      assert.equal(await readRingFile(join(folder, "secrets.json")), null);
      assert.equal(await readFileStamp(join(folder, "secrets.json")), null);
    }));

  test("that others can read is refused with a sentence that names it and mends it", { skip: !process.getuid }, () =>
    inFolder(async (folder) => {
      const path = join(folder, "secrets.json");
      await createRingFile(path, newRing(now));
      for (const mode of [0o640, 0o604, 0o660, 0o644]) {
        await chmod(path, mode);
        await assert.rejects(
          readRingFile(path),
          refusedWith(/secrets\.json is accessible to other users .*chmod 600\.$/),
        );
      }
    }),
  );

  test("that belongs to somebody else is refused", { skip: !isRoot }, () =>
    inFolder(async (folder) => {
      const path = join(folder, "secrets.json");
      await createRingFile(path, newRing(now));
      await chown(path, 12345, 12345);
      await assert.rejects(readRingFile(path), refusedWith(/belongs to user 12345/));
    }),
  );

  test("that is a folder or no ring is refused without showing what stands in it", () =>
    inFolder(async (folder) => {
      await mkdir(join(folder, "folder"), { mode: 0o700 });
      await assert.rejects(readRingFile(join(folder, "folder")), refusedWith(/not a file/));
      await writeFile(join(folder, "torn.json"), '{"keys":"hunter2', { mode: 0o600 });
      await assert.rejects(
        readRingFile(join(folder, "torn.json")),
        (thrown) =>
          refusedWith(/torn\.json cannot be used: it is not JSON\.$/)(thrown) && !String(thrown).includes("hunter2"),
      );
    }));
});

describe("changing the file", () => {
  test("replaces it whole, keeps it closed and leaves nothing behind", () =>
    inFolder(async (folder) => {
      const path = join(folder, "secrets.json");
      await createRingFile(path, newRing(now));
      const stamp = await readFileStamp(path);
      const after = await changeRingFile(path, rotated, now);
      assert.equal(await readFile(path, "utf8"), formatRing(after));
      assert.equal((await stat(path)).mode & 0o777, 0o600);
      assert.notEqual(await readFileStamp(path), stamp);
      assert.deepEqual(await readdir(folder), ["secrets.json"]);
    }));

  test("goes through a link to the file behind it", () =>
    inFolder(async (folder) => {
      const [real, linked] = [join(folder, "real.json"), join(folder, "secrets.json")];
      await createRingFile(real, newRing(now));
      await symlink(real, linked);
      const after = await changeRingFile(linked, rotated, now);
      assert.deepEqual(await readRingFile(real), after);
      assert.ok((await readdir(folder, { withFileTypes: true })).some((found) => found.isSymbolicLink()));
    }));

  test("that fails leaves the old ring and no lock", () =>
    inFolder(async (folder) => {
      const path = join(folder, "secrets.json");
      await createRingFile(path, newRing(now));
      const before = await readFile(path, "utf8");
      const breaking = () => {
        throw new Error("no");
      };
      await assert.rejects(changeRingFile(path, breaking, now), /no/);
      assert.equal(await readFile(path, "utf8"), before);
      assert.deepEqual(await readdir(folder), ["secrets.json"]);
    }));

  test("waits its turn: while another change holds the lock it is refused", () =>
    inFolder(async (folder) => {
      const path = join(folder, "secrets.json");
      await createRingFile(path, newRing(now));
      await writeFile(`${path}.lock`, "");
      await assert.rejects(
        changeRingFile(path, rotated, now),
        (thrown) => thrown instanceof Fault && thrown.code === "conflict",
      );
    }));

  test("takes over the lock of a process that died", () =>
    inFolder(async (folder) => {
      const path = join(folder, "secrets.json");
      await createRingFile(path, newRing(now));
      await writeFile(`${path}.lock`, "");
      const longAgo = new Date(now.getTime() - 60_000);
      await utimes(`${path}.lock`, longAgo, longAgo);
      await changeRingFile(path, rotated, now);
      assert.deepEqual(await readdir(folder), ["secrets.json"]);
    }));
});
