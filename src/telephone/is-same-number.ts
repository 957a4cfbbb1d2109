/** True if `called` is this number; a dialplan may leave out the plus. */
export function isSameNumber(ours: string, called: string): boolean {
  return ours === called || ours === `+${called}`;
}
