// The longer side of a thumbnail, in pixels.
export type ThumbnailSide = 128 | 512;
