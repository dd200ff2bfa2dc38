import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig, settingTable } from "../config.ts";
import { effectiveSettings } from "./effective-settings.ts";

const secret = "a-secret-that-is-never-shown-0123456789";

function shown(env: Record<string, string>) {
  const { values, sources, problems } = readConfig({ flags: { port: "9000" }, env, file: { logLevel: "warn" } });
  assert.deepEqual(problems, []);
  const list = effectiveSettings(values, sources);
  return { list, of: (name: string) => list.find((each) => each.env === name) ?? assert.fail(name) };
}

test("every setting is listed in order, with its value and where it comes from", () => {
  const { list, of } = shown({ ATELIER_CORS_ORIGINS: "https://a.example,https://b.example" });
  assert.deepEqual(
    list.map(({ env }) => env),
    Object.values(settingTable).map(({ env }) => env),
  );
  assert.deepEqual([of("ATELIER_PORT").value, of("ATELIER_PORT").source], ["9000", "flag"]);
  assert.deepEqual(
    [of("ATELIER_CORS_ORIGINS").value, of("ATELIER_CORS_ORIGINS").source],
    ["https://a.example,https://b.example", "environment"],
  );
  assert.deepEqual([of("ATELIER_LOG_LEVEL").value, of("ATELIER_LOG_LEVEL").source], ["warn", "file"]);
  assert.deepEqual([of("ATELIER_HOST").value, of("ATELIER_HOST").source], ["127.0.0.1", "default"]);
  assert.equal(of("ATELIER_BASE_URL").value, null);
});

test("no secret setting shows its value, and none is overlooked", () => {
  const secrets = Object.values(settingTable).filter((setting) => setting.secret);
  assert.ok(secrets.length >= 10);
  const { list, of } = shown({ ATELIER_ADMIN_TOKEN: secret, DATABASE_URL: `postgres://u:${secret}@db.example/x` });
  assert.deepEqual([of("ATELIER_ADMIN_TOKEN").value, of("ATELIER_ADMIN_TOKEN").is_secret], ["***", true]);
  assert.equal(of("DATABASE_URL").value, "***");
  assert.ok(!JSON.stringify(list).includes(secret));
});

test("credentials inside an address are not shown", () => {
  const { values, sources } = readConfig({ flags: {}, env: {}, file: {} });
  const config = {
    ...values,
    blobs: `s3://bucket/prefix?endpoint=https://u:${secret}@store.example&secret_key=${secret}&region=eu-1`,
  };
  const [found] = effectiveSettings(config, sources).filter(({ env }) => env === "ATELIER_BLOBS");
  assert.equal(found?.value, "s3://bucket/prefix?endpoint=https://***@store.example&secret_key=***&region=eu-1");
});
