/** A file cannot be used; the message says why and is shown to whoever sent it. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}
