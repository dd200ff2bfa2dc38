// The graphs of examples/gallery. The build brings their pictures along, and each graph as a file of its own that is loaded when
// it is opened or run: as text, because a seed may not fit a JavaScript number.
import { templates as words } from "#strings/templates/gallery";

export interface GalleryTemplate {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  // The address of a small picture.
  readonly picture: string;
  readonly load: () => Promise<string>;
}

// Every one of them calls this model.
export const galleryModel = "sandbox/image-1";

const folder = "../../../../../examples/gallery";
const texts = import.meta.glob<string>("../../../../../examples/gallery/*.json", { query: "?raw", import: "default" });
const pictures = import.meta.glob<string>("../../../../../examples/gallery/thumbnails/*.webp", {
  query: "?url",
  import: "default",
  eager: true,
});

export const galleryTemplates: readonly GalleryTemplate[] = Object.entries(words.gallery).flatMap(
  ([name, { title, about }]) => {
    const load = texts[`${folder}/${name}.json`];
    const picture = pictures[`${folder}/thumbnails/${name}.webp`];
    return load && picture ? [{ name, title, about, picture, load }] : [];
  },
);
