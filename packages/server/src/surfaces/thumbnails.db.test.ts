// Images crafted to harm a decoder: they yield no thumbnail, and nothing else is harmed.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { sql } from "../foundation/database/index.ts";
import { aClient, aForm, aHouse, type Client, type House, textOf, toRecord } from "./surfaces.fixture.ts";

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

// A PNG that claims these dimensions, with as much image data as requested.
function pngOf(width: number, height: number, rows: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const data = deflateSync(Buffer.alloc((Math.ceil(width) + 1) * rows));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    pngChunk("IDAT", data),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

describe("a small picture", { timeout: 900_000 }, () => {
  let house: House;
  let client: Client;
  before(async () => {
    house = await aHouse();
    client = aClient(`http://127.0.0.1:${house.cloudPort}`, { "x-api-key": house.key });
  });
  after(async () => {
    await client.close();
    await house.close();
  });
  async function upload(bytes: Buffer, path: string): Promise<string> {
    const made = await client.ask("/api/v2/assets", { method: "POST", body: aForm(bytes, { file_path: path }) });
    return textOf(toRecord(made.json()["urls"])["self"]);
  }

  test("is linked where one can be made, and nowhere else", async () => {
    const urlsOf = async (bytes: Buffer, path: string) => {
      const made = await client.ask("/api/v2/assets", { method: "POST", body: aForm(bytes, { file_path: path }) });
      return toRecord(made.json()["urls"]);
    };
    const picture = await urlsOf(pngOf(1, 1, 4), "linked.png");
    assert.equal(picture["thumbnail"], `${textOf(picture["self"])}/thumbnail`);
    assert.equal((await urlsOf(Buffer.from("words"), "words.txt"))["thumbnail"], undefined);
  });

  test("of a bomb is refused, and asking again is answered from memory", async () => {
    const bombs: [string, Buffer][] = [
      ["100,000 pixels wide and high", pngOf(100_000, 100_000, 1)],
      ["a billion pixels in a narrow strip", pngOf(16_000, 65_000, 1)],
      ["no size at all", pngOf(0, 0, 1)],
      ["cut off", pngOf(500, 500, 3)],
      ["a signature and noise", Buffer.concat([Buffer.from("\xff\xd8\xff", "latin1"), Buffer.alloc(2000, 7)])],
      ["GIF without frames", Buffer.from("GIF89a\x01\0\x01\0\0\0\0;", "latin1")],
    ];
    for (const [name, bytes] of bombs) {
      const self = await upload(bytes, `${name.replaceAll(/\W+/g, "-")}.png`);
      assert.equal((await client.ask(`${self}/thumbnail`)).status, 404, name);
      assert.equal((await client.ask(`${self}/thumbnail`)).status, 404, name);
    }
    const remembered = await house.db.query(sql`select from asset_thumbnails where hash is null`);
    assert.equal(remembered.length, bombs.length);
  });

  test("of a drawing with script is refused, whatever its name", async () => {
    const drawing = Buffer.from(
      "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'><rect width='10' height='10'/></svg>",
    );
    assert.equal((await client.ask(`${await upload(drawing, "x.png")}/thumbnail`)).status, 404);
  });

  test("is made once for many who ask at once, turned upright, without what the original says of itself", async () => {
    const original = await sharp({ create: { width: 400, height: 200, channels: 3, background: "blue" } })
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const self = await upload(original, "turned.jpg");
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.ask(`${self}/thumbnail?size=128`)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    const { width, height, exif } = await sharp(answers[0]?.bytes).metadata();
    assert.deepEqual([width, height, exif], [64, 128, undefined]);
  });

  test("goes with the last asset that has its original", async () => {
    const picture = await sharp({ create: { width: 50, height: 50, channels: 3, background: "green" } })
      .png()
      .toBuffer();
    const one = await upload(picture, "one.png");
    const two = await upload(picture, "two.png");
    const hash = (await client.ask(one)).json()["hash"];
    assert.equal((await client.ask(`${one}/thumbnail`)).status, 200);
    const kept = () =>
      house.db.query(sql`select from asset_thumbnails where encode(source_hash, 'hex') = ${textOf(hash).slice(7)}`);
    await client.ask(one, { method: "DELETE" });
    assert.equal((await kept()).length, 1);
    assert.equal((await client.ask(`${two}/thumbnail`)).status, 200);
    await client.ask(two, { method: "DELETE" });
    assert.equal((await kept()).length, 0);
    const orphans = await house.db.query(sql`
      select from blob_references where holder_kind = 'thumbnail' and holder_id like ${`%/${textOf(hash).slice(7)}/%`}`);
    assert.equal(orphans.length, 0);
  });
});
