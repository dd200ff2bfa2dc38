// One style for every amount in the console.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  formatBytes,
  formatCreditRange,
  formatCredits,
  formatDuration,
  formatPrice,
  formatUsd,
  readBytes,
} from "./amounts.ts";

describe("amounts in words", () => {
  test("credits of any size have no decimals or two, and are never rounded to nothing", () => {
    const words = ["0", "1", "42.2", "1.106248", "126.6", "1234.5", "10000", "0.004", "0.0000012", "-3.5", "0.999"];
    assert.deepEqual(
      words.map((credits) => formatCredits(credits)),
      ["0", "1", "42.20", "1.11", "126.60", "1,234.50", "10,000", "0.004", "0.0000012", "-3.50", "1"],
    );
    assert.equal(formatCredits(null), "–");
  });

  test("a range of credits reads the same everywhere", () => {
    assert.equal(formatCreditRange("10.55", "42.2"), "10.55–42.20 credits");
    assert.equal(formatCreditRange("0", "1.106248"), "0–1.11 credits");
    assert.equal(formatCreditRange("2.5", "2.5"), "2.50 credits");
    assert.equal(formatCreditRange("1", "1"), "1 credit");
    assert.equal(formatCreditRange("0", "0"), "Free");
  });

  test("a price names its unit, and its worth in money has digits enough to tell small ones apart", () => {
    assert.deepEqual(["0", "2.11", "10.55 per second", "1", "fast: 1, slow: 2 by mode"].map(formatPrice), [
      "Free",
      "2.11 credits",
      "10.55 credits per second",
      "1 credit",
      "fast: 1, slow: 2 by mode, in credits",
    ]);
    assert.deepEqual(
      [formatUsd(1, 211), formatUsd(4.22, 211), formatUsd(2110, 211)],
      ["0.0047 USD", "0.02 USD", "10 USD"],
    );
  });

  test("a size counts in thousands and says so", () => {
    assert.deepEqual([999, 1_834, 24_000_000, 999_600_000, 5 * 1024 ** 3].map(formatBytes), [
      "999 B",
      "1.8 kB",
      "24.0 MB",
      "1.0 GB",
      "5.4 GB",
    ]);
  });

  test("a size is typed as people write it, and anything else is no size", () => {
    const typed = ["0", "107374182400", "100 GiB", "1.5gb", "20 MB", "1,000 kB", "3b"];
    assert.deepEqual(
      typed.map(readBytes),
      [0, 107_374_182_400, 107_374_182_400, 1_500_000_000, 20_000_000, 1_000_000, 3],
    );
    for (const wrong of ["", "-1", "1 XB", "GB", "1e9", "9999 TB of it", "999999999999999 TB"])
      assert.equal(readBytes(wrong), null, wrong);
  });

  test("a duration has no trailing zeros and no second unit of zero", () => {
    const spans = [0, 250, 999.7, 1_000, 5_000, 5_020, 12_340, 59_960, 60_000, 63_000, 3_600_000, 3_660_000, 7_199_900];
    assert.deepEqual(
      spans.map((ms) => formatDuration(ms)),
      [
        "0 ms",
        "250 ms",
        "1 s",
        "1 s",
        "5 s",
        "5.02 s",
        "12.3 s",
        "1 min",
        "1 min",
        "1 min 3 s",
        "1 h",
        "1 h 1 min",
        "2 h",
      ],
    );
  });
});
