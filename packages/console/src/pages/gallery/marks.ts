// Stars, ratings and boards are tags on the asset, stored by the server: everyone in the workspace sees them, and lists can
// filter by them.

export type Rating = 0 | 1 | 2 | 3 | 4 | 5;
export const ratings = [1, 2, 3, 4, 5] as const;

export const starTag = "starred";
const ratingPrefix = "rating:";
export const boardPrefix = "board:";

export const ratingTag = (rating: number): string => `${ratingPrefix}${rating}`;
// Tags are ASCII, names of boards are not.
export const boardTag = (name: string): string => `${boardPrefix}${encodeURIComponent(name)}`;

export function ratingIn(tags: readonly string[]): Rating {
  return ratings.findLast((rating) => tags.includes(ratingTag(rating))) ?? 0;
}

export interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export const starring = (isStarred: boolean): TagChange =>
  isStarred ? { add: [starTag], remove: [] } : { add: [], remove: [starTag] };
export const boarding = (tag: string, isOn: boolean): TagChange =>
  isOn ? { add: [tag], remove: [] } : { add: [], remove: [tag] };
// An asset has one rating.
export const rated = (rating: Rating): TagChange => ({
  add: rating === 0 ? [] : [ratingTag(rating)],
  remove: ratings.filter((each) => each !== rating).map(ratingTag),
});

export function withTags(tags: readonly string[], { add, remove }: TagChange): readonly string[] {
  const gone = new Set([...add, ...remove]);
  return [...tags.filter((tag) => !gone.has(tag)), ...add];
}
