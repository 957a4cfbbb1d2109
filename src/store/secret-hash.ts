import { createHash } from 'node:crypto';

/** SHA-256 in hex, the stored form of secrets of 256 random bits. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
