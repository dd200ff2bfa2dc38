// The headers sent with every answer about something deprecated (RFC 9745, RFC 8594).
export interface Retirement {
  readonly deprecatedAt: Date | null;
  readonly sunsetAt: Date | null;
}

export function retirementHeaders({ deprecatedAt, sunsetAt }: Retirement): Readonly<Record<string, string>> {
  if (deprecatedAt === null) return {};
  return {
    deprecation: `@${Math.floor(deprecatedAt.getTime() / 1000)}`,
    ...(sunsetAt === null ? {} : { sunset: sunsetAt.toUTCString() }),
  };
}
