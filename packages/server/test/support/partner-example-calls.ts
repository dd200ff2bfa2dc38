// One example call for each operation of the partner proxy, on an app without partners: valid requests get 503, and there are no
// tasks. Apps with partners are tested in partners-*.db.test.ts.
import { bearer } from "./app-client.ts";
import type { ExampleCall } from "./example-call.ts";

const image = "iVBORw0KGgo=";
const nobodys = "00000000-0000-7000-8000-000000000000";

const start = (path: string, body: object): ExampleCall => ({
  status: 503,
  make: ({ app }) => ({ method: "POST", path: `/proxy${path}`, headers: bearer(app.key), body }),
});
const read = (path: string): ExampleCall => ({
  status: 404,
  make: ({ app }) => ({ path: `/proxy${path}/${nobodys}`, headers: bearer(app.key) }),
});

export const partnerExamples: Readonly<Record<string, ExampleCall>> = {
  relightImage: start("/partner-a/v1/ai/image-relight", { image }),
  getRelightTask: read("/partner-a/v1/ai/image-relight"),
  enhanceSkinFlexible: start("/partner-a/v1/ai/skin-enhancer/flexible", { image }),
  enhanceSkinCreative: start("/partner-a/v1/ai/skin-enhancer/creative", { image }),
  enhanceSkinFaithful: start("/partner-a/v1/ai/skin-enhancer/faithful", { image }),
  getSkinEnhancerTask: read("/partner-a/v1/ai/skin-enhancer"),
  createTextToVideoPrompt: start("/partner-b/prompts/text-to-video", { prompt_text: "a boat" }),
  createImageToVideoPrompt: start("/partner-b/prompts/image-to-video", { image_url: "https://pictures.example/1.png" }),
  getPrompt: read("/partner-b/prompts"),
  receivePartnerCallback: {
    status: 404,
    make: () => ({ method: "POST", path: `/callbacks/partner-a/${nobodys}/key.signature`, body: {} }),
  },
  createStorageTicket: {
    status: 200,
    make: ({ app }) => ({
      method: "POST",
      path: "/customers/storage",
      headers: bearer(app.key),
      body: { file_name: "a.png", content_type: "image/png" },
    }),
  },
};
