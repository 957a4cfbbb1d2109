import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomFillSync,
} from 'node:crypto';
import { boundedMemo } from './bounded-memo.ts';

/** Where a sealed text stands: it cannot be opened anywhere else. */
export interface TextPlace {
  readonly table: string;
  /** What it belongs to, for example the id of a call. */
  readonly owner: string;
  /** Which of the owner's texts it is. */
  readonly part: string | number;
}

/** A sealed text was changed, stands in another place, or its key is another. */
export class SealedTextError extends Error {
  override readonly name = 'SealedTextError';
}

/** Format version, key id and content. Version 1 is that of secrets. */
export const SEALED_PREFIX = 'sealed:2:';
/** A UUID in base64url. */
const ID_CHARS = 22;
const HEAD_CHARS = SEALED_PREFIX.length + ID_CHARS + 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const MAX_OWNERS = 500;
/** Random bytes are had in bulk: for each text alone they would cost a third of its encryption. */
const IVS = Buffer.alloc(256 * IV_BYTES);
let usedIvBytes = IVS.length;

/** The id of the key that has sealed a text; undefined for one in the clear. */
export function keyIdOf(text: string): string | undefined {
  if (!text.startsWith(SEALED_PREFIX) || text[HEAD_CHARS - 1] !== ':') return undefined;
  const hex = Buffer.from(text.slice(SEALED_PREFIX.length, HEAD_CHARS - 1), 'base64url').toString(
    'hex',
  );
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** What every text begins with that the key with this id, a UUID, has sealed. */
export function headOf(keyId: string): string {
  return `${SEALED_PREFIX}${Buffer.from(keyId.replaceAll('-', ''), 'hex').toString('base64url')}:`;
}

/**
 * Seals texts with AES-256-GCM, each bound to its place. Each owner has a key of its own, derived from this one, so that
 * random IVs suffice for any number of texts.
 */
export class TextKey {
  readonly #head: string;
  readonly #keyOf: (owner: string) => KeyObject;

  /** `bytes`: 32 of them. */
  constructor(id: string, bytes: Uint8Array) {
    this.#head = headOf(id);
    const root = createSecretKey(bytes);
    this.#keyOf = boundedMemo(MAX_OWNERS, (owner) =>
      createSecretKey(createHmac('sha256', root).update(`texts of ${owner}`).digest()),
    );
  }

  seal(text: string, place: TextPlace): string {
    return this.#seal(text, place, nextIv());
  }

  /** The same text in the same place gives the same result, so that equal ones can be counted. */
  sealAlike(text: string, place: TextPlace): string {
    const own = createHmac('sha256', this.#keyOf(place.owner)).update('iv ');
    const iv = own.update(aboutOf(place)).update('\n').update(text).digest();
    return this.#seal(text, place, iv.subarray(0, IV_BYTES));
  }

  /** Throws {@link SealedTextError}. */
  open(sealed: string, place: TextPlace): string {
    try {
      const bytes = Buffer.from(sealed.slice(HEAD_CHARS), 'base64url');
      const iv = bytes.subarray(0, IV_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', this.#keyOf(place.owner), iv, {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(aboutOf(place)));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const content = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
      decipher.final();
      return content.toString('utf8');
    } catch (cause) {
      throw new SealedTextError('a sealed text was changed, or moved from its place', { cause });
    }
  }

  #seal(text: string, place: TextPlace, iv: Uint8Array): string {
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(place.owner), iv);
    cipher.setAAD(Buffer.from(aboutOf(place)));
    const content = cipher.update(text, 'utf8');
    cipher.final();
    const sealed = Buffer.concat([iv, cipher.getAuthTag(), content]);
    return `${this.#head}${sealed.toString('base64url')}`;
  }
}

const aboutOf = ({ table, owner, part }: TextPlace): string => `${table}\n${owner}\n${part}`;

function nextIv(): Uint8Array {
  if (usedIvBytes === IVS.length) {
    randomFillSync(IVS);
    usedIvBytes = 0;
  }
  usedIvBytes += IV_BYTES;
  return IVS.subarray(usedIvBytes - IV_BYTES, usedIvBytes);
}
