import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, test } from "node:test";
import { operations } from "@atelier/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import { shippedPartner, shippedPartners, shippedPartnersFolder } from "./shipped-partners.ts";

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const fileOf = (path: string): Record<string, unknown> => JSON.parse(readFileSync(path, "utf8"));

describe("the shipped partners", () => {
  // Reading one validates it like an operator's file.
  test("can be served, with and without what public clients call besides", async () => {
    for (const name of shippedPartners) {
      const [contract, further] = [
        await shippedPartner(name, { baseUrl: null }),
        await shippedPartner(name, { baseUrl: "https://partner.example" }, "further"),
      ];
      assert.deepEqual([contract.partner, contract.base_url], [name, null]);
      assert.equal(further.base_url, "https://partner.example");
      assert.deepEqual(further.operations.slice(0, contract.operations.length), contract.operations);
      assert.ok(further.operations.length > contract.operations.length, name);
    }
  });

  test("take the bodies that the contract names", async () => {
    const byId = new Map(Object.values(operations).map((operation) => [operation.id as string, operation]));
    for (const name of shippedPartners) {
      const { operations: offered, reads } = await shippedPartner(name, { baseUrl: null });
      for (const { id = "", path, schema } of offered) {
        const named = byId.get(id);
        assert.equal(named?.path, `/proxy/${name}${path}`);
        assert.deepEqual(schema, plain(named?.body?.schema), id);
      }
      for (const { id = "", path } of reads) assert.equal(byId.get(id)?.path, `/proxy/${name}${path}`);
    }
  });

  test("keep to the schema for editors that their $schema names, which refuses what the server refuses", () => {
    for (const name of shippedPartners) {
      const path = join(shippedPartnersFolder, `${name}.json`);
      const definition = fileOf(path);
      const schemaPath = resolve(dirname(path), String(definition["$schema"]));
      assert.ok(existsSync(schemaPath), schemaPath);
      const accepts = new Ajv2020({ strict: false, allErrors: true }).compile(fileOf(schemaPath));
      assert.ok(accepts(definition), JSON.stringify(accepts.errors));
      for (const wrong of [
        { ...definition, base_url: "ftp://x" },
        { ...definition, operations: [] },
        { ...definition, view: { from: "nowhere" } },
        JSON.parse(JSON.stringify(definition).replace('"price":{"usd":', '"price":{"eur":')),
      ])
        assert.equal(accepts(wrong), false);
    }
  });
});
