import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { foundMedia, foundText } from "./found-media.ts";

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...Array.from({ length: 60 }, () => 0)]);
const brief = (answer: unknown) =>
  foundMedia(answer).map((each) => (each.from === "address" ? `${each.kind} ${each.url}` : each.type));

describe("media in an answer", () => {
  test("addresses are media by their name or their type, and a task's polling address is not", () => {
    assert.deepEqual(
      brief({
        status_url: "https://a.example/v1/tasks/7",
        images: [{ url: "https://a.example/x", content_type: "image/png" }],
        video: { url: "https://a.example/y.mp4" },
        sample: "https://a.example/z.jpeg?sig=1",
        prompt: "https://not.example/page",
      }),
      ["image https://a.example/x", "video https://a.example/y.mp4", "image https://a.example/z.jpeg?sig=1"],
    );
  });

  test("bytes have their real type, whatever the provider calls them", () => {
    const base64 = png.toString("base64");
    assert.deepEqual(brief({ data: [{ b64_json: base64 }] }), ["image/png"]);
    assert.deepEqual(brief({ image: `data:text/html;base64,${base64}` }), ["image/png"]);
    assert.deepEqual(brief({ b64_json: "not base64 at all!" }), []);
  });

  test("a work's outputs are its assets, and its inputs are not what it made", () => {
    const asset_id = "0198a1de-0000-7000-8000-000000000001";
    const picture = {
      url: "http://content.example/a/x.png?sig=1",
      content_type: "image/png",
      asset_id,
      name: "fox_00001_.png",
    };
    const answer = {
      work: "w.acme/lighthouse.v1",
      inputs: { photo: `data:image/png;base64,${png.toString("base64")}` },
      outputs: { picture: [picture] },
    };
    assert.deepEqual(
      foundMedia(answer).map(({ assetId, name }) => [assetId, name]),
      [[asset_id, "fox_00001_.png"]],
    );
    assert.equal(foundMedia({ images: [picture] })[0]?.assetId, undefined, "a provider cannot name our assets");
  });

  test("the search stops at what a page can show, and deep cycles end", () => {
    const many = { images: Array.from({ length: 100 }, (_, at) => ({ url: `https://a.example/${at}.png` })) };
    assert.equal(foundMedia(many).length, 24);
    let deep: unknown = "https://a.example/x.png";
    for (let turn = 0; turn < 50; turn++) deep = { images: deep };
    assert.deepEqual(foundMedia(deep), []);
  });

  test("text for people is found in the shapes that providers use", () => {
    assert.equal(foundText({ content: [{ type: "text", text: "Hello" }] }), "Hello");
    assert.equal(foundText({ choices: [{ message: { role: "assistant", content: "Hi" } }] }), "Hi");
    assert.equal(foundText({ id: "7" }), null);
  });
});
