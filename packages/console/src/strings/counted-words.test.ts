// Entries that count: "1 replays" was on the first page once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { errors } from "./en/errors.ts";
import { galleryViewer } from "./en/gallery-viewer.ts";
import { overview } from "./en/overview.ts";
import { requests } from "./en/requests.ts";
import { shared } from "./en/shared.ts";
import { webhooks } from "./en/webhooks.ts";
import { workflows } from "./en/workflows.ts";

test("one thing is counted as one", () => {
  const said = [
    overview.figures.replays(1),
    errors.charged("1"),
    requests.became.charged("1"),
    galleryViewer.details.chargeOf("1"),
    galleryViewer.details.creditsOf("1"),
    shared.credits("1"),
    webhooks.deliveries.attempts(1),
    workflows.batch.submitted(1),
  ];
  for (const words of said) assert.match(words, /\b1 (replay|credit|attempt|job)\b/);
});
