// A JSON Schema as the server returns it.
export type Schema = Readonly<Record<string, unknown>>;
