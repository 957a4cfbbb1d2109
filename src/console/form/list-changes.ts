/** A list with one more at its end. */
export function itemAdded(items: readonly unknown[], item: unknown): readonly unknown[] {
  return [...items, item];
}

/** A list without the one at a place. */
export function itemRemoved(items: readonly unknown[], index: number): readonly unknown[] {
  return items.filter((_, at) => at !== index);
}

/** A list in which the one at a place stands further on, or before; it stays as it is at its ends. */
export function itemMoved(
  items: readonly unknown[],
  index: number,
  by: number,
): readonly unknown[] {
  const to = index + by;
  if (to < 0 || to >= items.length) return items;
  const others = itemRemoved(items, index);
  return [...others.slice(0, to), items[index], ...others.slice(to)];
}
