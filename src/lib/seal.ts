import { createCipheriv, createDecipheriv, hash, randomBytes, scryptSync } from 'node:crypto';

/** Format version, key id and content of a sealed text; the version leaves room for another cipher. */
const SEALED = /^sealed:1:([0-9a-f]{8}):([\w-]{38,})$/;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** No known key opens a sealed text, or the text was changed. */
export class SealError extends Error {
  override readonly name = 'SealError';
  readonly code: 'unknown-key' | 'damaged';

  constructor(code: SealError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

/** Encrypts texts for storage with AES-256-GCM, so that access to the storage alone reveals nothing. */
export class Sealer {
  readonly #current: Key;
  readonly #keys: ReadonlyMap<string, Buffer>;

  /** The first secret seals; the others are former secrets, used only to open. */
  constructor(secrets: readonly [string, ...string[]]) {
    const [current, ...former] = [deriveKey(secrets[0]), ...secrets.slice(1).map(deriveKey)];
    this.#current = current as Key;
    this.#keys = new Map([current as Key, ...former].map(({ id, bytes }) => [id, bytes]));
  }

  /** Identifies the sealing key without revealing anything about it. */
  get keyId(): string {
    return this.#current.id;
  }

  /** Seals a text for an owner; only the same owner can open it. An empty text stays empty. */
  seal(text: string, owner: string): string {
    if (text === '') return '';
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#current.bytes, iv);
    cipher.setAAD(Buffer.from(owner));
    const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    const sealed = Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64url');
    return `sealed:1:${this.#current.id}:${sealed}`;
  }

  /**
   * Opens a sealed text; throws {@link SealError}. An unsealed text, stored before sealing was introduced, is returned
   * unchanged.
   */
  open(text: string, owner: string): string {
    const [, keyId, content] = SEALED.exec(text) ?? [];
    if (keyId === undefined || content === undefined) return text;
    const key = this.#keys.get(keyId);
    if (!key) throw new SealError('unknown-key', `a secret was sealed with the key ${keyId}`);
    const bytes = Buffer.from(content, 'base64url');
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES));
      decipher.setAAD(Buffer.from(owner));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const start = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
      return Buffer.concat([start, decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new SealError('damaged', 'a sealed secret was changed in the store', cause);
    }
  }
}

// Slow on purpose, since a secret may be a weak passphrase.
function deriveKey(secret: string): Key {
  const bytes = scryptSync(secret, 'parley encryption at rest', KEY_BYTES);
  return { bytes, id: hash('sha256', Buffer.concat([Buffer.from('id '), bytes])).slice(0, 8) };
}
