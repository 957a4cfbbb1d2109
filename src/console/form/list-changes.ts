/** The list with an item added at its end. */
export function itemAdded(items: readonly unknown[], item: unknown): readonly unknown[] {
  return [...items, item];
}

/** The list without one item. */
export function itemRemoved(items: readonly unknown[], index: number): readonly unknown[] {
  return items.filter((_, at) => at !== index);
}

/** The list with one item moved; unchanged if the item would leave the list. */
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
