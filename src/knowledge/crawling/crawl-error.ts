/** A page of a knowledge base could not be fetched; the message is shown to the user. */
export class CrawlError extends Error {
  override readonly name = 'CrawlError';
}
