import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { identifier, joinSql, preparedSql, type Statement, sql } from "./sql.ts";

test("a value becomes a parameter, whatever it holds", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null))), (values) => {
      const [first = "x'; drop table t; --", second = 2] = values;
      const statement = sql`select ${first}, ${second}`;
      assert.equal(statement.text, "select $1, $2");
      assert.deepEqual(statement.values, [first, second]);
    }),
  );
});

test("one call site always has the same text and name, and other texts have other names", () => {
  const at = (id: number) => sql`select * from jobs where id = ${id}`;
  assert.equal(at(1).name, at(2).name);
  assert.equal(at(1).text, at(2).text);
  assert.notEqual(at(1).name, sql`select * from job where id = ${1}`.name);
  assert.equal(at(1).name, sql`select * from jobs where id = ${3}`.name);
  assert.match(at(1).name, /^s[A-Za-z0-9_-]{20}$/);
});

test("a fragment is inlined and renumbered, a look-alike object stays a value", () => {
  const condition = sql`owner = ${"me"} and note = '$1'`;
  const statement = sql`select * from t where id = ${7} and ${condition} limit ${10}`;
  assert.equal(statement.text, "select * from t where id = $1 and owner = $2 and note = '$1' limit $3");
  assert.deepEqual(statement.values, [7, "me", 10]);
  const lookAlike = { text: "true; drop table t", values: [], name: "s" };
  assert.deepEqual(sql`select ${lookAlike}`.values, [lookAlike]);
});

test("fragments nest to any depth: parameters keep their order and their number", () => {
  const tree = fc.letrec<{ node: Nested }>((tie) => ({
    node: fc.oneof({ maxDepth: 5 }, fc.integer(), fc.array(tie("node"), { maxLength: 3 })),
  })).node;
  fc.assert(
    fc.property(tree, (nested) => {
      const statement = sql`select ${build(nested)}`;
      const leaves = leavesOf(nested);
      assert.deepEqual(statement.values, leaves);
      const numbers = [...statement.text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1]));
      assert.deepEqual(
        numbers,
        leaves.map((_, index) => index + 1),
      );
    }),
  );
});

type Nested = number | readonly Nested[];

function build(nested: Nested): Statement {
  if (typeof nested === "number") return sql`(${nested})`;
  return sql`[${joinSql(nested.map(build), sql`, `)}]`;
}

function leavesOf(nested: Nested): number[] {
  return typeof nested === "number" ? [nested] : nested.flatMap(leavesOf);
}

test("a name in SQL is quoted, and one with a NUL is refused", () => {
  assert.equal(sql`select * from ${identifier('a"b; drop')}`.text, 'select * from "a""b; drop"');
  assert.throws(() => identifier("a\0b"));
});

test("a statement that is given its values later is the same statement", () => {
  const later = preparedSql<{
    id: number;
    state: string;
  }>`select ${({ id }) => id} where state = ${(given) => given.state}`;
  const now = sql`select ${7} where state = ${"open"}`;
  const { text, values, name } = later({ id: 7, state: "open" });
  assert.deepEqual({ text, values, name }, { text: now.text, values: now.values, name: now.name });
});
