// What a call is counted under in usage and budgets. Tags go in the X-Service-Tags header as JSON in ASCII.
/** What usage and budgets count a call under. */
export interface LabelOptions {
  /** Up to 16 texts, such as `{ project: "spring" }`: usage can be listed, added up and limited by them. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Your own id of the person the call is for. */
  readonly endUser?: string;
}

export function labelHeaders({ tags, endUser }: LabelOptions): Readonly<Record<string, string>> {
  return {
    ...(tags === undefined ? {} : { "x-service-tags": asciiJson(tags) }),
    ...(endUser === undefined ? {} : { "x-service-end-user": endUser }),
  };
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
