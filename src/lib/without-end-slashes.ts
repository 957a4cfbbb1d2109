/** Removes trailing slashes from a base URL or path. */
export function withoutEndSlashes(text: string): string {
  // The pattern starts only at the first slash of a run: starting at each would take quadratic time.
  return text.replace(/(?<!\/)\/+$/, '');
}
