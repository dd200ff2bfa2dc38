// A JSON Schema as the server hands it out.
export type Schema = Readonly<Record<string, unknown>>;
