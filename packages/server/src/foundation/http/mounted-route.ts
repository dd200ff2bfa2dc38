// A route with its area and the rules for its bodies, and how its refusals are answered.
import type { Area, HeaderValues, Route } from "./area.ts";
import type { genericEnvelope } from "./generic-envelope.ts";
import type { BodyRules } from "./incoming-request.ts";

export interface Mounted {
  readonly area: Area;
  readonly route: Route<unknown>;
  readonly body: BodyRules;
}

export interface Refusing {
  readonly envelope: typeof genericEnvelope;
  readonly operation: string;
  readonly headers: HeaderValues | null;
  readonly close?: boolean;
  readonly isAtOnce?: boolean;
}
