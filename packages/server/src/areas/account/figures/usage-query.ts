// Parses the query of the usage lists. One answer names every bad parameter; unknown ones are ignored. A cursor belongs to its
// workspace and the filters it was issued for: elsewhere it is refused.
import { usageDaysMax, usageFamilies } from "@atelier/contract";
import type { ExportFormat, UsageFilter, UsagePosition, UsageTag } from "../../../capabilities/calls/index.ts";
import type { Cursors } from "../../../foundation/cursor.ts";
import { QueryReader, refuseCursor } from "../../../foundation/http/page-query.ts";
import { isUuid, parseId, type WorkspaceId } from "../../../foundation/ids.ts";
import { hasAtMost } from "../../../foundation/json/characters.ts";
import { checkPairs, isEndUser } from "../../../foundation/json/labels.ts";
import { momentFormat, parseMoment } from "../../../foundation/moment.ts";

export function readUsageQuery(query: URLSearchParams) {
  const reader = new QueryReader(query);
  const requestOrCallId = reader.read("request_id", (text) => (isUuid(text) ? text : null), "a UUID");
  const filter = { ...readSpan(reader), ...readFilter(reader), requestOrCallId };
  const asked = { filter, limit: reader.readLimit(), cursor: reader.readCursor() };
  reader.requireNoProblem();
  return asked;
}

export function readExportQuery(query: URLSearchParams): { filter: UsageFilter; format: ExportFormat } {
  const reader = new QueryReader(query);
  const filter = { ...readSpan(reader), ...readFilter(reader) };
  const format = reader.read("format", (text) => (text === "csv" || text === "jsonl" ? text : null), "csv or jsonl");
  reader.requireNoProblem();
  return { filter, format: format ?? "csv" };
}

const dayMs = 86_400_000;
const daysDefault = 30;

export function readDaysQuery(query: URLSearchParams, now: Date): { filter: UsageFilter; bySubject: boolean } {
  const reader = new QueryReader(query);
  const today = new Date(now.getTime() - (now.getTime() % dayMs));
  const last = reader.read("to", parseDay, "a day such as 2026-01-31") ?? today;
  const from =
    reader.read("from", parseDay, "a day such as 2026-01-31") ?? new Date(last.getTime() - (daysDefault - 1) * dayMs);
  const bySubject = reader.read("by", (text) => (text === "subject" ? true : null), "subject") ?? false;
  const to = new Date(last.getTime() + dayMs);
  if (from >= to) reader.problem("from", "must not be after to");
  if (to.getTime() - from.getTime() > usageDaysMax * dayMs) {
    reader.problem("from", `must be at most ${usageDaysMax} days before to`);
  }
  const filter = { from, to, ...readFilter(reader) };
  reader.requireNoProblem();
  return { filter, bySubject };
}

export function issueUsageCursor(
  cursors: Cursors,
  walk: { workspaceId: WorkspaceId; filter: UsageFilter },
  next: UsagePosition,
): string {
  return cursors.issue(purposeOf(walk), [next.at, next.id]);
}

export function readUsageCursor(
  cursors: Cursors,
  walk: { workspaceId: WorkspaceId; filter: UsageFilter },
  cursor: string,
): UsagePosition {
  const [at, id] = cursors.read(purposeOf(walk), cursor) ?? [];
  if (at === undefined || id === undefined || !isUuid(id)) throw refuseCursor();
  return { at, id };
}

function purposeOf({ workspaceId, filter }: { workspaceId: WorkspaceId; filter: UsageFilter }): string {
  const { from, to, subject, outcome, apiKeyId, tag, endUser, isReplay, family, isFailure, requestOrCallId } = filter;
  const labels = [tag?.key, tag?.value, endUser];
  const parts = [from, to, subject, outcome, apiKeyId, isReplay, family, isFailure, requestOrCallId, ...labels];
  return JSON.stringify(["usage", workspaceId, ...parts.map((part) => part ?? null)]);
}

export function readSpan(reader: QueryReader): Pick<UsageFilter, "from" | "to"> {
  return { from: reader.read("from", parseMoment, momentFormat), to: reader.read("to", parseMoment, momentFormat) };
}

export function readFilter(reader: QueryReader): Omit<UsageFilter, "from" | "to"> {
  const text = (name: string) => reader.read(name, shortText, "1 to 300 characters");
  return {
    subject: text("subject"),
    outcome: text("outcome"),
    apiKeyId: reader.read("api_key_id", (given) => parseId<"key">(given), "a UUID"),
    tag: reader.read("tag", parseTag, "a tag such as project=spring"),
    endUser: reader.read("end_user", (given) => (isEndUser(given) ? given : null), "1 to 128 visible ASCII characters"),
    isReplay: readSwitch(reader, "replayed"),
    family: readWord(reader, "family", usageFamilies),
    isFailure: readSwitch(reader, "failed"),
  };
}

export function readSwitch(reader: QueryReader, name: string): boolean | undefined {
  return reader.read(name, (given) => (given === "true" ? true : given === "false" ? false : null), "true or false");
}

export function readWord<const Word extends string>(
  reader: QueryReader,
  name: string,
  words: readonly Word[],
): Word | undefined {
  return reader.read(name, (given) => words.find((word) => word === given) ?? null, words.join(", "));
}

// A key has no equals sign; a value may have some.
function parseTag(text: string): UsageTag | null {
  const at = text.indexOf("=");
  if (at < 0) return null;
  const tag = { key: text.slice(0, at), value: text.slice(at + 1) };
  return checkPairs([[tag.key, tag.value]]) === null ? tag : null;
}

// PostgreSQL cannot store NUL, so nothing stored can match one.
function shortText(text: string): string | null {
  return hasAtMost(text, 300) && text.isWellFormed() && !text.includes("\0") ? text : null;
}

function parseDay(text: string): Date | null {
  return parseMoment(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : "");
}
