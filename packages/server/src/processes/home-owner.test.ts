import assert from "node:assert/strict";
import { chmod, chown, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openStorage } from "../foundation/database/opening/open-storage.ts";
import { foreignOwner, ownerWords } from "../foundation/home/home-owner.ts";
import { UsageProblem } from "../foundation/settings.ts";

const me = process.getuid?.();
const asRoot = { skip: me !== 0 && "only root can give a folder away" };

let home: string;
before(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-owner-"));
});
after(() => rm(home, { recursive: true, force: true }));

test("one's own folder, and a missing one, belong to nobody else", () => {
  assert.equal(foreignOwner(home), null);
  assert.equal(foreignOwner(join(home, "missing")), null);
});

test("a folder that root gave to the embedded PostgreSQL is root's own", asRoot, async () => {
  await mkdir(join(home, "postgres"));
  await chown(join(home, "postgres"), 65_528, 65_528);
  assert.equal(foreignOwner(home), null);
  await rm(join(home, "postgres"), { recursive: true });
});

test("a writable folder is one's own to use, unless another user's database is in it", asRoot, async () => {
  const shared = join(home, "shared");
  await mkdir(shared);
  await chmod(shared, 0o777);
  assert.equal(foreignOwner(shared, 4_242), null);
  await mkdir(join(shared, "postgres"));
  assert.deepEqual(foreignOwner(shared, 4_242), { uid: 0, name: "root" });
});

test("root is refused on a service's folder, learns which user to be, and leaves nothing behind", asRoot, async () => {
  const theirs = join(home, "service");
  await mkdir(theirs, { mode: 0o700 });
  await chown(theirs, 1, 1);
  const life = { onStop: () => assert.fail("something was opened") } as never;
  const config = { home: theirs, databaseUrl: null } as never;
  await assert.rejects(openStorage({ config, life, log: {} as never }), (error: unknown) => {
    assert.ok(error instanceof UsageProblem);
    assert.match(
      error.message,
      /service belongs to daemon\. Nothing was changed\. Run this as daemon: sudo -u daemon /,
    );
    return true;
  });
  assert.deepEqual(await readdir(theirs), []);
});

test("an owner without a name is shown by number", () => {
  const { message, mend } = ownerWords("/srv/atelier", { uid: 12_345, name: null });
  assert.match(message, /belongs to user 12345\./);
  assert.equal(mend, "run this as user 12345: sudo -u '#12345' env ATELIER_HOME=/srv/atelier atelier …");
});
