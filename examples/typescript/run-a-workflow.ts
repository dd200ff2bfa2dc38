// Nodes and a model in one graph, with a photo of your own: uploaded only if the server does not have it yet.
//   run-a-workflow.ts photo.png out.png       without a photo: one of the gallery
import { writeFile } from "node:fs/promises";
import { Atelier, fileSource, type Graph, GraphFile, Workflow } from "@atelier/sdk";

const gallery = new URL("../gallery/pictures/duotone.png", import.meta.url);
const [photo = gallery.pathname, target = "blended.png"] = process.argv.slice(2);
const atelier = new Atelier();

const graph: Graph = {
  photo: { class_type: "LoadImage", inputs: { image: "" } },
  fitted: {
    class_type: "ImageScale",
    inputs: { image: ["photo", 0], upscale_method: "lanczos", width: 384, height: 256, crop: "center" },
  },
  // A node that asks the model router; a second attempt of the job collects its answer instead of paying again.
  drawn: {
    class_type: "AtelierModelImage",
    inputs: { model: "sandbox/image-1", prompt: "northern lights", width: 384, height: 256, seed: 7, parameters: "{}" },
  },
  blended: {
    class_type: "ImageBlend",
    inputs: { image1: ["fitted", 0], image2: ["drawn", 0], blend_factor: 0.5, blend_mode: "screen" },
  },
  saved: { class_type: "SaveImage", inputs: { images: ["blended", 0], filename_prefix: "blended" } },
};

const workflow = new Workflow(graph).set("photo", "image", new GraphFile(await fileSource(photo)));
const job = await atelier.jobs.run(workflow, {
  onEvent(event) {
    if (event.type === "progress")
      console.log(`${Math.round(event.progress.value * 100)} % ${event.progress.message ?? ""}`);
  },
});
const [output] = job.outputs;
if (output) await writeFile(target, await atelier.jobs.download(output));
console.log(`saved ${target}`);
