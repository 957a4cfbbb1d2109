import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { invalid, Problem } from '../contract/errors.ts';
import type { Db } from '../store/db.ts';
import {
  claimIdempotencyKey,
  completeIdempotencyKey,
  releaseIdempotencyKey,
} from '../store/idempotency-keys.ts';

export interface OnceParams {
  readonly teamId: string;
  /** The key as sent by the client. */
  readonly key: string;
  /** The request that the key stands for: method, URL and body. */
  readonly request: string;
  readonly status: number;
  readonly log: FastifyBaseLogger;
}

export interface OnceResult {
  readonly body: string;
  readonly replayed: boolean;
}

const RETRY_AFTER_SECONDS = 1;
const MAX_KEY_CHARS = 255;

/**
 * Does the work once for each key; a repeated request gets the first response. Throws Problem if the key is malformed,
 * in use, or was used with another request.
 */
export async function doOnce(
  db: Db,
  params: OnceParams,
  work: () => Promise<string>,
): Promise<OnceResult> {
  const { teamId, status, log } = params;
  if (params.key.length === 0 || params.key.length > MAX_KEY_CHARS)
    throw invalid([
      { path: 'Idempotency-Key', message: `must have 1 to ${MAX_KEY_CHARS} characters` },
    ]);
  const key = hash('sha256', params.key);
  const requestHash = hash('sha256', params.request);
  const claim = await claimIdempotencyKey(db, { teamId, key, requestHash });
  if (claim.outcome === 'replay') return { body: unseal(claim.body, params.key), replayed: true };
  if (claim.outcome !== 'claimed') throw refused(claim.outcome);
  let body: string;
  try {
    body = await work();
  } catch (error) {
    await releaseIdempotencyKey(db, { teamId, key }).catch((cause: unknown) =>
      log.warn({ err: cause }, 'an idempotency key could not be released'),
    );
    throw error;
  }
  // The work is done, so a failure to store the response must not fail the request.
  await completeIdempotencyKey(db, { teamId, key, status, body: seal(body, params.key) }).catch(
    (cause: unknown) =>
      log.error({ err: cause }, 'a response could not be stored for its idempotency key'),
  );
  return { body, replayed: false };
}

function refused(outcome: 'in-progress' | 'mismatch'): Problem {
  return outcome === 'mismatch'
    ? new Problem({
        kind: 'conflict',
        message: 'The Idempotency-Key was used with another request',
      })
    : new Problem({
        kind: 'conflict',
        message: 'A request with this Idempotency-Key is still at work',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
}

// Responses may contain secrets (a new API key, a media token). The store only has a hash of the client's key, so
// nobody can read a stored response without repeating the request.
function sealingKey(key: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'parley idempotency', 32));
}

function seal(body: string, key: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sealingKey(key), iv);
  const sealed = Buffer.concat([cipher.update(body, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
}

function unseal(text: string, key: string): string {
  const bytes = Buffer.from(text, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(key), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}
