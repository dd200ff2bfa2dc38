import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApplicationEvent } from "../line/read-frame.ts";
import { createWatchers } from "./prompt-watchers.ts";

test("an event goes to those who watch its prompt, and frames without a name to the one that ran last", () => {
  const watchers = createWatchers();
  const heard: string[] = [];
  const watch = (name: string) =>
    watchers.watch(name, {
      onEvent: (event) => heard.push(`${name} ${event.kind}`),
      onConnection: (isOpen) => heard.push(`${name} ${isOpen}`),
    });
  const text: ApplicationEvent = { kind: "text", promptId: null, nodeId: "1", text: "t" };
  const leave = watch("a");
  watch("b");
  watchers.notify(text);
  watchers.notify({ kind: "started", promptId: "a" });
  watchers.notify(text);
  watchers.notify({ kind: "left", promptId: "a" });
  watchers.notify(text);
  watchers.notify({ kind: "started", promptId: "stranger" });
  watchers.notify(text);
  watchers.notify({ kind: "started", promptId: "b" });
  assert.deepEqual(heard, ["a started", "a text", "a left", "b started"]);
  leave();
  leave();
  watchers.notify({ kind: "started", promptId: "a" });
  watchers.notifyConnection(false);
  assert.deepEqual(heard.slice(4), ["b false"]);
});
