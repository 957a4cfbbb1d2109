/** The embedded database cannot be used; the message says what to do. */
export class UnusableDataError extends Error {
  override readonly name: string = 'UnusableDataError';
}
