import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deniedCalls, numberOf, seccompProgram } from "./seccomp.ts";

const allowed = 0x7fff0000;
const killed = 0x80000000;
const eperm = 0x00050001;
const enosys = 0x00050026;
const eafnosupport = 0x00050061;

// What the kernel does with a program: the four instructions that ours is made of.
function judge(program: Uint8Array, call: { architecture: number; number: number; argument?: number }): number {
  const view = new DataView(program.buffer, program.byteOffset, program.byteLength);
  const shown = new Map([
    [0, call.number],
    [4, call.architecture],
    [16, call.argument ?? 0],
  ]);
  let held = 0;
  for (let at = 0; at < program.length; at += 8) {
    const code = view.getUint16(at, true);
    const value = view.getUint32(at + 4, true);
    const jump = (isTrue: boolean) => 8 * view.getUint8(at + (isTrue ? 2 : 3));
    if (code === 0x20) held = shown.get(value) ?? assert.fail("loads what is not there");
    else if (code === 0x15) at += jump(held === value);
    else if (code === 0x35) at += jump(held >= value);
    else if (code === 0x45) at += jump((held & value) !== 0);
    else if (code === 0x06) return value;
    else assert.fail(`unknown instruction ${code}`);
  }
  return assert.fail("the program does not end");
}

const machines = [
  { name: "x64", architecture: 0xc000003e, other: 0x40000003, socket: 41, clone: 56, read: 0, openat: 257 },
  { name: "arm64", architecture: 0xc00000b7, other: 0x40000028, socket: 198, clone: 220, read: 63, openat: 56 },
] as const;

describe("the filter of system calls", () => {
  for (const { name, architecture, other, socket, clone, read, openat } of machines) {
    const program = seccompProgram(name) ?? new Uint8Array();
    const answer = (number: number, argument = 0) => judge(program, { architecture, number, argument });

    test(`${name}: what programs need is allowed`, () => {
      for (const number of [read, openat]) assert.equal(answer(number), allowed);
      assert.equal(answer(socket, 1), allowed, "a socket of this machine");
      // CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM
      assert.equal(answer(clone, 0x50f00), allowed, "a thread");
    });

    test(`${name}: every call of the list is refused`, () => {
      for (const call of deniedCalls) assert.equal(answer(numberOf(call, name) ?? -1), eperm, call);
    });

    test(`${name}: no network, no namespaces, no other architecture`, () => {
      for (const family of [2, 10, 16, 17, 40]) assert.equal(answer(socket, family), eafnosupport);
      for (const flag of [0x20000, 0x10000000, 0x20000000, 0x40000000]) assert.equal(answer(clone, flag | 17), eperm);
      assert.equal(answer(435), enosys, "clone3");
      assert.equal(judge(program, { architecture: other, number: read }), killed);
    });
  }

  test("x64: the second set of numbers is refused", () => {
    const program = seccompProgram("x64") ?? new Uint8Array();
    assert.equal(judge(program, { architecture: 0xc000003e, number: 0x40000000 }), eperm);
  });

  test("no program for a machine whose numbers we do not know", () => {
    assert.equal(seccompProgram("riscv64"), null);
  });
});
