// Renders a task as callers see it, by filling in the definition's tree. Pure; the result is JSON text.
import { findSpan } from "../../foundation/json/json-spans.ts";
import type { PartnerDefinition, TaskState } from "./definition.ts";
import type { View } from "./view-definition.ts";

export interface ViewFacts {
  readonly id: string;
  readonly state: TaskState;
  // The partner's answer and where the task is in it. Null if there is none: it never came, or is no longer kept.
  readonly answer: { readonly bytes: Buffer; readonly root: string } | null;
  // Pointer → JSON text of what the caller sent.
  readonly echo: Readonly<Record<string, string>>;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

export function renderView(definition: Pick<PartnerDefinition, "view" | "states">, facts: ViewFacts): string {
  return renderText(definition, definition.view, facts) ?? "{}";
}

// The pointers into the request that the view shows.
function echoedPointers(view: View): string[] {
  if (view.from === "request") return [view.pointer];
  if (view.from === "answer") return view.or_request === undefined ? [] : [view.or_request];
  return view.from === "object" ? Object.values(view.members).flatMap(echoedPointers) : [];
}

export function echoHeaders(view: View, body: Buffer): Record<string, string> {
  const echo: Record<string, string> = {};
  for (const pointer of echoedPointers(view)) {
    const span = findSpan(body, pointer);
    if (span !== null) echo[pointer] = body.toString("utf8", span.start, span.end);
  }
  return echo;
}

// A part of a rendered view plus the number of the change: the body of webhooks.
export function noticeOf(definition: Pick<PartnerDefinition, "notice">, body: string, sequence: number): Buffer {
  const bytes = Buffer.from(body);
  const span = findSpan(bytes, definition.notice);
  const part = span === null ? "{}" : bytes.toString("utf8", span.start, span.end);
  const members = part.slice(1, -1).trim();
  return Buffer.from(`{${members}${members === "" ? "" : ","}"sequence":${sequence}}`);
}

function renderText(definition: Pick<PartnerDefinition, "states">, view: View, facts: ViewFacts): string | null {
  switch (view.from) {
    case "object": {
      if (view.in && !view.in.includes(facts.state)) return null;
      const members = Object.entries(view.members).flatMap(([name, member]) => {
        const text = renderText(definition, member, facts);
        return text === null ? [] : [`${JSON.stringify(name)}:${text}`];
      });
      return `{${members.join(",")}}`;
    }
    case "id":
      return JSON.stringify(facts.id);
    case "status":
      return JSON.stringify(definition.states[facts.state].shown);
    case "answer": {
      const shown = !view.in || view.in.includes(facts.state);
      const echoed = view.or_request === undefined ? null : (facts.echo[view.or_request] ?? null);
      return (shown ? answered(facts, view.pointer) : null) ?? echoed ?? constant(view.otherwise);
    }
    case "request":
      return facts.echo[view.pointer] ?? constant(view.otherwise);
    case "error":
      return facts.error === null ? null : JSON.stringify(facts.error[view.part]);
    case "time": {
      const at = view.of === "created" ? facts.createdAt : facts.endedAt;
      return at === null ? null : JSON.stringify(at.toISOString());
    }
    case "duration":
      return facts.endedAt === null
        ? null
        : String(Math.max(0, facts.endedAt.getTime() - facts.createdAt.getTime()) / 1000);
  }
}

function answered({ answer }: ViewFacts, pointer: string): string | null {
  const span = answer && findSpan(answer.bytes, `${answer.root}${pointer}`);
  const text = answer && span ? answer.bytes.toString("utf8", span.start, span.end) : null;
  return text === "null" ? null : text;
}

function constant(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
