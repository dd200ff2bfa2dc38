// Query parameters of the registry. Pages are numbered: less than 1 means the default, above the maximum is clamped. Lists of
// values are repeated keys, not brackets. One 400 names every bad parameter.

import { limits } from "@atelier/contract";
import { normalizeVersion } from "../../capabilities/registry/index.ts";
import { QueryReader } from "../../foundation/http/page-query.ts";
import { hasAtMost } from "../../foundation/json/characters.ts";
import { isDay, isStorable } from "../../foundation/moment.ts";

export interface NumberedPage {
  readonly page: number;
  readonly limit: number;
  readonly offset: number;
}

const textLengthMax = 1_000;
const valuesMax = 1_000;
// No registry has that many pages; beyond it an offset would overflow the database's integers.
const pageMax = 1_000_000;

export class RegistryQuery extends QueryReader {
  readonly #query: URLSearchParams;

  constructor(query: URLSearchParams) {
    super(query);
    this.#query = query;
  }

  readPage(limitName = "limit"): NumberedPage {
    const wantedPage = this.readInteger("page") ?? 1;
    const wantedLimit = this.readInteger(limitName) ?? 0;
    const page = wantedPage < 1 ? 1 : Math.min(wantedPage, pageMax);
    const limit = wantedLimit < 1 ? limits.registryPageSizeDefault : Math.min(wantedLimit, limits.registryPageSizeMax);
    return { page, limit, offset: (page - 1) * limit };
  }

  // However many digits: values above a limit are clamped, and no limit is above this one.
  readInteger(name: string): number | undefined {
    const parse = (text: string) => (/^[+-]?\d+$/.test(text) ? Number(text) : null);
    const wanted = this.read(name, parse, "a whole number");
    return wanted === undefined ? undefined : Math.max(-1e9, Math.min(wanted, 1e9));
  }

  readSwitch(name: string): boolean {
    const parse = (text: string) => (text === "true" || text === "1" ? true : /^(false|0)$/.test(text) ? false : null);
    return this.read(name, parse, "true or false") ?? false;
  }

  // Empty counts as absent: forms and older clients send every field.
  readText(name: string): string | undefined {
    if (this.#query.getAll(name).every((text) => text === "")) return undefined;
    const isKept = (text: string) => !text.includes("\0") && hasAtMost(text, textLengthMax);
    return this.read(name, (text) => (isKept(text) ? text : null), `a string of at most ${textLengthMax} characters`);
  }

  readTexts(name: string): readonly string[] | undefined {
    const values = this.#query.getAll(name).filter((text) => text !== "");
    if (values.length === 0) return undefined;
    const isGood =
      values.length <= valuesMax && values.every((text) => !text.includes("\0") && hasAtMost(text, textLengthMax));
    if (isGood) return values;
    this.problem(name, `must be at most ${valuesMax} strings of at most ${textLengthMax} characters`);
    return undefined;
  }

  // With three parts. A plus sign that a client forgot to encode arrives as a space.
  readVersion(name: string): string | undefined {
    const text = this.readText(name);
    if (text === undefined) return undefined;
    const version = normalizeVersion(text.trim().replaceAll(" ", "+"));
    if (version === null) this.problem(name, "is not a semantic version");
    return version ?? undefined;
  }

  readMoment(name: string): Date | undefined {
    return this.read(name, parseMoment, "a time such as 2026-01-31T12:00:00Z");
  }
}

// RFC 3339, with a zone; a plus sign that a client forgot to encode arrives as a space. PostgreSQL has no year 0.
function parseMoment(text: string): Date | null {
  const moment = text.replace(/ (\d\d:\d\d)$/, "+$1");
  if (!/^[1-9]\d{3}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:\d\d)$/.test(moment)) return null;
  const date = new Date(moment);
  return isStorable(date) && isDay(moment.slice(0, 10)) ? date : null;
}
