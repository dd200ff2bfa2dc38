import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, test } from "node:test";
import { isProcessGone, machineMark, type ProcessFiles, processIdentity } from "./process-identity.ts";

const stat = (pid: number, start: number, state = "S") =>
  `${pid} (a (b) c) ${state} ${Array.from({ length: 18 }, (_, at) => at).join(" ")} ${start} 7`;
const machine = (stats: Readonly<Record<number, string>>, boot = "boot-1", namespace = "pid:[1]"): ProcessFiles => ({
  read(path) {
    if (path === "/proc/sys/kernel/random/boot_id") return `${boot}\n`;
    return stats[Number(path.split("/")[2])] ?? null;
  },
  link: () => namespace,
  exists: (pid) => pid in stats,
});

describe("a process of this machine", () => {
  const identity = processIdentity(42, machine({ 42: stat(42, 900) })) ?? "";

  test("is alive while its pid and start time match, whatever its name", () => {
    assert.equal(identity, "boot-1 pid:[1] 42 900");
    assert.equal(isProcessGone(identity, machine({ 42: stat(42, 900) })), false);
    assert.equal(isProcessGone(identity, machine({ 42: stat(42, 900, "T") })), false, "a paused one is there");
  });

  test("is gone when its number is free, another's, or of one that has only not been collected", () => {
    assert.equal(isProcessGone(identity, machine({})), true);
    assert.equal(isProcessGone(identity, machine({ 42: stat(42, 901) })), true);
    assert.equal(isProcessGone(identity, machine({ 42: stat(42, 900, "Z") })), true);
  });

  test("cannot be judged from another machine, after a reboot, in another namespace or without system data", () => {
    for (const elsewhere of [machine({}, "boot-2"), machine({}, "boot-1", "pid:[2]")])
      assert.equal(isProcessGone(identity, elsewhere), false);
    assert.equal(isProcessGone(identity, { ...machine({}), read: () => null }), false);
    assert.equal(isProcessGone(identity, { ...machine({}), exists: () => true }), false, "its entry is hidden");
    assert.equal(isProcessGone("", machine({})), false);
    assert.equal(processIdentity(42, machine({})), null);
  });
});

test("the mark of a machine is the same for those who see the same files, and does not tell the boot", () => {
  const here = machineMark(machine({})) ?? "";
  assert.match(here, /^[0-9a-f]{64}$/);
  assert.equal(machineMark(machine({ 42: stat(42, 900) })), here);
  for (const elsewhere of [machine({}, "boot-2"), machine({}, "boot-1", "mnt:[2]")])
    assert.notEqual(machineMark(elsewhere), here);
  assert.equal(machineMark({ ...machine({}), read: () => null }), null);
  assert.equal(machineMark({ ...machine({}), link: () => null }), null);
});

const isLinux = process.platform === "linux";
test("a killed process is seen to be gone, a paused one is not", { skip: !isLinux && "Linux only" }, async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  await once(child, "spawn");
  const identity = processIdentity(child.pid) ?? "";
  assert.notEqual(identity, "");
  child.kill("SIGSTOP");
  assert.equal(isProcessGone(identity), false);
  child.kill("SIGKILL");
  await once(child, "exit");
  assert.equal(isProcessGone(identity), true);
  assert.equal(isProcessGone(processIdentity() ?? ""), false);
});
