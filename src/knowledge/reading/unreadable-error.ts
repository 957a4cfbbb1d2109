/** A file can't be used; the message is shown to the user. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}
