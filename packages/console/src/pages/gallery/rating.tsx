// One to five stars. The viewer's number keys set them too.
import { Star } from "lucide-react";
import type { ReactNode } from "react";
import { galleryViewer } from "#strings/gallery-viewer";
import { useWhyNot } from "../../api/may.ts";
import { operations } from "../../api/operations.ts";
import { type Rating, ratings } from "./marks.ts";
import styles from "./viewer/viewer.module.css";

const words = galleryViewer.rating;

export function RatingStars({
  rating,
  onRate,
}: {
  readonly rating: Rating;
  readonly onRate: (rating: Rating) => void;
}): ReactNode {
  const whyNot = useWhyNot(operations.changeAssetTags);
  return (
    <fieldset className={styles.rating} aria-label={words.label} disabled={whyNot !== null} title={whyNot ?? undefined}>
      {ratings.map((value) => (
        <button
          key={value}
          type="button"
          aria-label={words.of(value)}
          title={words.of(value)}
          aria-pressed={rating === value}
          data-filled={value <= rating}
          onClick={() => onRate(rating === value ? 0 : value)}
        >
          <Star aria-hidden="true" size={16} fill={value <= rating ? "currentColor" : "none"} />
        </button>
      ))}
    </fieldset>
  );
}
