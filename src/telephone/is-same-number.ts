/** Whether a number of ours was called; a dialplan may leave the plus out. */
export function isSameNumber(ours: string, called: string): boolean {
  return ours === called || ours === `+${called}`;
}
