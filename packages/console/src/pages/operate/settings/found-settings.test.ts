import assert from "node:assert/strict";
import { test } from "node:test";
import { isFound } from "./found-settings.ts";

const setting = {
  name: "databasePoolSize",
  env: "ATELIER_DATABASE_POOL_SIZE",
  flag: "--database-pool-size",
  value: "32",
  default: "16",
  source: "environment",
  is_secret: false,
  about: "Database connections per process for transactions.",
} as const;

test("every word must be there, in any case and anywhere", () => {
  for (const q of ["", "  ", "pool", "POOL size", "connections 32", "--database", "databasepool"])
    assert.equal(isFound(setting, q), true, q);
  for (const q of ["pool 64", "bus", "default"]) assert.equal(isFound(setting, q), false, q);
});
