// What the application's editor needs of its API, over HTTP.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type AppRequest, memberOf } from "./support/app-client.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
before(async () => {
  app = await testApp({ env: { ATELIER_DIALECT: "comfy" } });
});
after(() => app.close());

const own = (request: AppRequest) => app.call({ ...request, headers: { "x-api-key": app.key, ...request.headers } });

describe("node classes", () => {
  test("every class with a price has the badge that badge readers get, and is marked as one that costs", async () => {
    const badges = (await own({ path: "/nodes/pricing/badges?app_version=0.7.0&platform=cloud" })).json();
    const classes = (await own({ path: "/api/object_info" })).json();
    const priced = Object.entries(Object(classes)).filter(([name]) => Object.hasOwn(Object(badges), name));
    assert.ok(priced.length > 0);
    for (const [name, description] of priced) {
      assert.deepEqual(memberOf(description, "price_badge"), memberOf(badges, name), name);
      assert.equal(memberOf(description, "api_node"), true, name);
    }
    assert.equal(memberOf(classes, "EmptyImage", "price_badge"), undefined);
    const one = priced[0]?.[0] ?? "";
    assert.deepEqual((await own({ path: `/object_info/${one}` })).json(), { [one]: memberOf(classes, one) });
  });
});
