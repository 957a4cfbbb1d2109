/** A request to another node was not answered. */
export class NodeAwayError extends Error {
  override readonly name = 'NodeAwayError';
}
