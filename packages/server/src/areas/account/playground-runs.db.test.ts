// The history of the playground over HTTP.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { newId } from "../../foundation/ids.ts";
import { aSite, ownPage, type Site } from "./account.fixture.ts";

let site: Site;
before(async () => {
  site = await aSite();
});
after(() => site.close());

const path = "/account/playground-runs";
const run = {
  model: "sandbox/image-1",
  input: '{"prompt":"a fox","seed":18446744073709551615}',
  request_id: newId<"request">() as string,
  credits: "1.5",
  asset_ids: [newId<"asset">() as string],
};
const withKey = () => ({ "x-api-key": site.key });
async function listed(headers: Readonly<Record<string, string>>, query = "") {
  const { data } = (await site.call({ path: `${path}${query}`, headers })).json();
  return Array.isArray(data) ? data : assert.fail("a list has data");
}

describe("201", () => {
  test("a run is remembered with every digit, page by page, for the person who ran it and nobody else", async () => {
    const headers = { cookie: await site.signIn(site.ownerId), ...ownPage };
    for (const prompt of ["one", "two", "three"]) {
      const kept = await site.call({
        method: "POST",
        path,
        headers,
        body: { ...run, input: `{"prompt":"${prompt}"}` },
      });
      assert.equal(kept.status, 201, kept.text);
      await site.clock.advance(1);
    }
    assert.equal((await site.call({ method: "POST", path, headers, body: run })).json()["input"], run.input);
    const first = (await site.call({ path: `${path}?limit=3&model=sandbox/image-1`, headers })).json();
    const rest = await listed(headers, `?limit=3&model=sandbox/image-1&cursor=${String(first["next_cursor"])}`);
    assert.deepEqual(
      rest.map(({ input }) => input),
      ['{"prompt":"one"}'],
    );
    assert.deepEqual(await listed(headers, "?model=sandbox/other"), []);
    assert.deepEqual(await listed(withKey()), [], "a key of the same workspace has its own");
  });
});

describe("204", () => {
  test("one run is forgotten, then all of them, and another's stay", async () => {
    const headers = { cookie: await site.signIn(site.ownerId), ...ownPage };
    const own = (await site.call({ method: "POST", path, headers: withKey(), body: run })).json();
    const [newest, ...others] = await listed(headers);
    assert.equal((await site.call({ method: "DELETE", path: `${path}/${own["id"]}`, headers })).status, 404);
    assert.equal((await site.call({ method: "DELETE", path: `${path}/${newest.id}`, headers })).status, 204);
    assert.deepEqual(await listed(headers), others);
    assert.equal((await site.call({ method: "DELETE", path, headers })).status, 204);
    assert.deepEqual([(await listed(headers)).length, (await listed(withKey())).length], [0, 1]);
  });
});

describe("400", () => {
  test("an input that is not an object, a foreign cursor and a long input are refused", async () => {
    for (const input of ["[]", "null", "{", '"x"', `{"a":"${"x".repeat(20_000)}"}`, '{"a":"\u0000"}']) {
      const answer = await site.call({ method: "POST", path, headers: withKey(), body: { ...run, input } });
      assert.equal(answer.status, 400, input.slice(0, 20));
    }
    assert.equal((await site.call({ path: `${path}?cursor=v1.abc.def`, headers: withKey() })).status, 400);
  });
});
