/** Another node that was needed did not do as asked. */
export class NodeAwayError extends Error {
  override readonly name = 'NodeAwayError';
}
