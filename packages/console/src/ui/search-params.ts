// The search parameters of a page, read by one table: a reader for each name. A value that its reader refuses is left out, as if
// the address did not have it: people type addresses by hand, and the pages never see a wrong one.
export type GivenSearch = Readonly<Record<string, unknown>>;
type Reader<Value> = (value: unknown) => Value | undefined;
type Readers = Readonly<Record<string, Reader<unknown>>>;

export type SearchOf<Table extends Readers> = {
  readonly [Name in keyof Table]?: ReturnType<Table[Name]> | undefined;
};

export function searchReader<const Table extends Readers>(table: Table) {
  return (given: GivenSearch): SearchOf<Table> =>
    withoutAbsent(
      Object.fromEntries(Object.entries(table).map(([name, read]) => [name, read(given[name])])) as SearchOf<Table>,
    );
}

// So that an absent value leaves no trace in the address.
export function withoutAbsent<Search extends object>(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search;
}

// The router parses numbers, lists and maps in an address; a label may look like one.
export const text =
  (lengthMax = 300): Reader<string> =>
  (value) => {
    if (value === undefined || value === null || value === "") return undefined;
    return (typeof value === "object" ? JSON.stringify(value) : String(value)).slice(0, lengthMax);
  };

// One of the words. The page's own default is not among them: the address leaves it out.
export const word =
  <const Word extends string>(...words: readonly Word[]): Reader<Word> =>
  (value) =>
    words.find((each) => each === value);

export const flag: Reader<true> = (value) => value === true || value === "true" || undefined;

export const day: Reader<string> = (value) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined;

// RFC 3339, in UTC.
export const moment: Reader<string> = (value) => {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
};

export const integerFrom =
  (min: number): Reader<number> =>
  (value) => {
    const number = Number(value);
    return Number.isSafeInteger(number) && number >= min ? number : undefined;
  };
