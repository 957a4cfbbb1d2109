/** A base URL or path without slashes at its end: what is joined to it brings its own. */
export function withoutEndSlashes(text: string): string {
  // A run of slashes is looked at from its first one only: from each, it would cost the square of its length.
  return text.replace(/(?<!\/)\/+$/, '');
}
