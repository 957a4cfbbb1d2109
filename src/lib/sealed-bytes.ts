import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** The content of a file was changed, or its key is another. */
export class SealedFileError extends Error {
  override readonly name = 'SealedFileError';
}

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** By which sealed bytes are more than those in the clear. */
export const EXTRA_BYTES = IV_BYTES + TAG_BYTES;

/** AES-256-GCM under a random IV, bound to what it is `about`: IV, tag and content. */
export function seal(key: Buffer, content: Uint8Array, about: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(about);
  const sealed = cipher.update(content);
  cipher.final();
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Throws {@link SealedFileError}. */
export function unseal(key: Buffer, stored: Buffer, about: Buffer): Buffer {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, stored.subarray(0, IV_BYTES));
    decipher.setAAD(about);
    decipher.setAuthTag(stored.subarray(IV_BYTES, EXTRA_BYTES));
    const content = decipher.update(stored.subarray(EXTRA_BYTES));
    decipher.final();
    return content;
  } catch (cause) {
    throw new SealedFileError('an encrypted file was changed, or its key is another', { cause });
  }
}
