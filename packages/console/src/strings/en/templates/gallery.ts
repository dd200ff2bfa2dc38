// The graphs of examples/gallery, in the order in which the first page shows them.
export const templates = {
  gallery: {
    "night-glow": { title: "Night glow", about: "City lights, blurred and screened back" },
    triptych: { title: "Triptych", about: "One place at three times of day" },
    "framed-print": { title: "Framed print", about: "A picture with mat, frame and shadow" },
    kaleidoscope: { title: "Kaleidoscope", about: "One tile, mirrored into a pattern" },
    "vintage-film": { title: "Vintage film", about: "Grain, warm tones and a vignette" },
    "soft-surround": { title: "Soft surround", about: "A picture inside its own blur" },
    duotone: { title: "Duotone", about: "Two inks, with a caption as text" },
    "pixel-poster": { title: "Pixel poster", about: "Twelve colours and hard pixels" },
    "double-exposure": { title: "Double exposure", about: "A nebula inside a skyline" },
    "tilt-shift": { title: "Tilt shift", about: "A city like a model of itself" },
    "day-to-night": { title: "Day to night", about: "Sixteen blends as an animation" },
    "slow-pan": { title: "Slow pan", about: "A window that moves over a wide picture" },
  },
} as const;
