import type { IncomingMessage } from 'node:http';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { invalid, Problem } from '../../contract/errors.ts';
import { MAX_FILE_BYTES } from '../../contract/file.ts';
import { FileTooLargeError } from '../../knowledge/local-file-storage.ts';
import { isDiskFull } from '../../lib/disk-errors.ts';
import type { FileStorage, IncomingFile } from '../../ports/file-storage.ts';

/** A complete upload. */
export interface Upload {
  readonly name: string;
  readonly declaredType: string;
  readonly incoming: IncomingFile;
}

const PART = 'file';
const TOTAL_MS = 15 * 60_000;
/**
 * Higher than what is accepted, so that a second part is detected, and the storage detects files that are too large.
 */
const LIMITS = { files: 2, fields: 10, parts: 10, fileSize: MAX_FILE_BYTES + 1 };
const MAX_NAME_CHARS = 255;
/** Bytes that the form may add to the file. */
const ENVELOPE_BYTES = 64 * 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
const CONTROL = /[\0-\x1f\x7f]/;

/** Streams the file of a multipart request into the storage. The caller keeps or drops it. Throws Problem. */
export async function receiveUpload(
  request: FastifyRequest,
  storage: FileStorage,
): Promise<Upload> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_FILE_BYTES + ENVELOPE_BYTES)
    throw tooLarge();
  const watch = new UploadWatch(request.raw);
  let upload: Upload | undefined;
  try {
    for await (const part of request.parts({ limits: LIMITS })) {
      if (part.type !== 'file' || part.fieldname !== PART) throw unexpected(part.fieldname);
      if (upload) throw invalid([{ path: PART, message: 'must be one file' }]);
      upload = await receivePart(part, storage, watch.signal);
    }
    if (upload) return upload;
  } catch (error) {
    await upload?.incoming.drop();
    throw problemOf(error, watch);
  } finally {
    watch.stop();
  }
  throw invalid([{ path: PART, message: 'is required' }]);
}

async function receivePart(
  part: MultipartFile,
  storage: FileStorage,
  signal: AbortSignal,
): Promise<Upload> {
  const name = part.filename ?? '';
  const fault = nameFault(name);
  if (fault) throw invalid([{ path: PART, message: fault }]);
  const incoming = await storage.receive(part.file, { maxBytes: MAX_FILE_BYTES, signal });
  return { name, declaredType: part.mimetype ?? '', incoming };
}

function nameFault(name: string): string | undefined {
  if (name.trim() === '') return 'must have a file name';
  if (name.length > MAX_NAME_CHARS)
    return `must have a name of at most ${MAX_NAME_CHARS} characters`;
  return CONTROL.test(name) || !name.isWellFormed()
    ? 'must have a name without control characters'
    : undefined;
}

function unexpected(name: string): Problem {
  return name === PART
    ? invalid([{ path: PART, message: 'must be a file' }])
    : invalid([{ path: name.slice(0, 200), message: 'unknown field' }]);
}

function problemOf(error: unknown, watch: UploadWatch): unknown {
  if (error instanceof FileTooLargeError) return tooLarge();
  if (error instanceof Problem) return error;
  if (watch.signal.aborted)
    return new Problem({ kind: 'malformed', message: watch.reason, cause: error });
  if (isDiskFull(error))
    return new Problem({
      kind: 'no-space',
      message: 'The disk of the service is full',
      cause: error,
    });
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // Errors with a code of the operating system come from the storage, not from the client.
  if (/^E[A-Z]+$/.test(code)) return error;
  return new Problem({ kind: 'malformed', message: 'The form cannot be read', cause: error });
}

function tooLarge(): Problem {
  const mib = MAX_FILE_BYTES / 1024 / 1024;
  return new Problem({ kind: 'too-large', message: `The file is larger than ${mib} MiB` });
}

/** Aborts an upload when the client disconnects or the total time is over. Slow clients are cut off before that. */
class UploadWatch {
  readonly #request: IncomingMessage;
  readonly #controller = new AbortController();
  readonly #total: NodeJS.Timeout;
  #reason = 'The upload broke off';

  constructor(request: IncomingMessage) {
    this.#request = request;
    this.#total = setTimeout(this.#giveUp, TOTAL_MS);
    request.on('close', this.#onClose);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the upload was aborted, for the client. */
  get reason(): string {
    return this.#reason;
  }

  stop(): void {
    clearTimeout(this.#total);
    this.#request.off('close', this.#onClose);
  }

  readonly #giveUp = (): void => {
    this.#reason = 'The upload took too long';
    this.#controller.abort();
  };

  readonly #onClose = (): void => {
    if (!this.#request.readableEnded) this.#controller.abort();
  };
}
