import { createHash } from 'node:crypto';
import { extname } from 'node:path';

/** What the service serves to browsers. */
export type PageName = 'console' | 'widget';

/** A file of one of them, ready to be served. */
export interface ConsoleFile {
  readonly contentType: string;
  readonly body: Uint8Array;
  /** The body compressed for browsers that accept brotli, as all do over TLS and on localhost. */
  readonly brotli: () => Promise<Uint8Array>;
  readonly etag: string;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  // Modules are always UTF-8.
  '.js': 'text/javascript',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Adds what the server says of a file to its bytes. */
export function servedFile(
  name: string,
  { body, brotli }: Pick<ConsoleFile, 'body' | 'brotli'>,
): ConsoleFile {
  return {
    contentType: CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
    body,
    brotli,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 11)}"`,
  };
}
