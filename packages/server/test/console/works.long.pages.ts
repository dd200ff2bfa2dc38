// The story of a work in every other look, and a photo as its input.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CreatedWorkLink } from "@atelier/contract";
import { textOf } from "../support/app-client.ts";
import { pictureOf } from "./gallery.pages.ts";
import { holds } from "./holds.ts";
import type { LookName, Scene, Visit } from "./scene.ts";
import { tellsStory } from "./works.pages.ts";

export function workLooks(scene: () => Scene): void {
  describe("works, in every look", () => {
    for (const look of ["dark", "phone", "phone-dark"] satisfies LookName[])
      test(`${look}: a work is made, shared, and used by a person without an account`, () => tellsStory(scene(), look));

    test("a photo goes into a work: as an asset in the playground, within the call through a link", async () => {
      const { id, url } = await makeInverter(scene());
      const member = await scene().visit();
      await member.open(`/console/models/${id}`);
      await addPhoto(member, await photo(scene()));
      await member.page.getByRole("button", { name: "Run", exact: true }).click();
      await member.page.getByRole("region", { name: "Result" }).getByText("Saved to the gallery").waitFor();
      await holds(member.page, `document.querySelector('[data-phase="done"] img')?.naturalWidth > 0`);
      await member.requireAccessible();
      await member.picture("works-photo-playground");
      await member.close();

      const visitor = await scene().visit("light", { signedIn: false });
      const sent: string[] = [];
      visitor.page.on("request", (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
      await visitor.page.goto(url.slice(new URL(url).origin.length));
      await addPhoto(visitor, await photo(scene()));
      await visitor.requireAccessible();
      await visitor.page.getByRole("button", { name: "Run", exact: true }).click();
      await holds(visitor.page, `document.querySelector('img[alt^="Result 1"]')?.naturalWidth > 0`);
      await visitor.picture("works-photo-visitor");
      assert.deepEqual(
        sent.filter((one) => one.includes("/assets")),
        [],
        "a visitor keeps nothing here",
      );
      await visitor.close();
    });
  });
}

async function addPhoto({ page }: Visit, buffer: Buffer): Promise<void> {
  await page.getByLabel(/^Photo/).setInputFiles({ name: "harbour.png", mimeType: "image/png", buffer });
  await page.getByText("harbour.png").waitFor();
}

async function photo(scene: Scene): Promise<Buffer> {
  const id = await pictureOf(scene, 0x446688, "photo");
  const asset = await scene.server.call({ path: `/api/v2/assets/${id}` });
  return Buffer.from(await (await fetch(textOf(asset.json(), "url"))).arrayBuffer());
}

// Takes a photo and gives back its negative.
async function makeInverter(scene: Scene): Promise<{ readonly id: string; readonly url: string }> {
  const { server } = scene;
  const send = async (method: string, path: string, body: object) => {
    const answer = await server.call({ method, path, body });
    assert.equal(answer.status, 201, answer.text);
    return answer.json();
  };
  const image = { __type: "core/ASSET", info: { id: await pictureOf(scene, 0x224466, "start") } };
  const document = {
    "1": { class_type: "LoadImage", inputs: { image } },
    "2": { class_type: "ImageInvert", inputs: { image: ["1", 0] } },
    "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "negative" } },
  };
  const workflow = textOf(await send("POST", "/account/workflows", { name: `Negative ${Date.now()}`, document }), "id");
  const form = {
    inputs: [{ name: "photo", node: "1", input: "image", kind: "picture", label: "Photo", required: true }],
    outputs: [{ name: "picture", node: "3" }],
  };
  const path = `/account/works/negative-${Date.now()}`;
  const id = textOf(await send("PUT", path, { workflow_id: workflow, form, examples: [] }), "id");
  const ends = new Date(Date.now() + 86_400_000).toISOString();
  const link = (await send("POST", `${path}/links`, { budget: "5", expires_at: ends })) as CreatedWorkLink;
  return { id, url: link.url };
}
