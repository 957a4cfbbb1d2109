/** A page that a knowledge base is to be made of cannot be had; the message says why. */
export class CrawlError extends Error {
  override readonly name = 'CrawlError';
}
