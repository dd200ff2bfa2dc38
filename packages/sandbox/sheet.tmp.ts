import sharp from "sharp";
import { renderPicture } from "/work/main/packages/sandbox/src/pictures/picture.ts";

const [out, size = "340", ...rest] = process.argv.slice(2);
const list: [string, string][] = rest.length
  ? rest.map((r) => r.split("|") as [string, string])
  : [
      ["a lighthouse at dusk", "42"],
      ["misty mountains at dawn with a lake", "1"],
      ["tokyo skyline at night, neon", "7"],
      ["a quiet pine forest in the morning", "3"],
      ["a ringed planet in a purple nebula", "5"],
      ["abstract flow of silk", "9"],
      ["geometric bauhaus poster", "2"],
      ["field of red poppies, golden light", "4"],
      ["winter village cabin under the aurora", "11"],
      ["desert dunes at sunset", "8"],
      ["a cat looking at the moon", "6"],
      ["hot air balloons over rolling hills", "10"],
      ["sailboat on a calm sea, sunset", "13"],
      ["castle on a mountain, storm", "14"],
      ["hello world", "1"],
      ["city in the rain", "21"],
    ];
const s = Number(size);
const cols = 4;
const rows = Math.ceil(list.length / cols);
const parts = [];
for (const [i, [p, seed]] of list.entries()) {
  const t = performance.now();
  const b = renderPicture({ prompt: p, seed, width: s, height: s });
  console.log(Math.round(performance.now() - t), "ms", p, seed);
  parts.push({
    input: await sharp(b, { raw: { width: s, height: s, channels: 3 } })
      .png()
      .toBuffer(),
    left: (i % cols) * (s + 6),
    top: Math.floor(i / cols) * (s + 6),
  });
}
await sharp({ create: { width: cols * (s + 6), height: rows * (s + 6), channels: 3, background: "#222" } })
  .composite(parts)
  .png()
  .toFile(out);
