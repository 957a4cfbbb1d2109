import { createCipheriv, hash, randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { muteParts } from '../../audio/mute-parts.ts';
import { WAV_HEADER_BYTES, wavHeader } from '../../audio/wav-header.ts';
import { writeWhole } from '../../lib/content-file.ts';
import { PRIVATE_FILE } from '../../lib/private-files.ts';
import type { RecordRedaction } from '../../ports/redaction.ts';
import type { RecordingFile, RecordingInfo } from './recorder.ts';

const KEY_BYTES = 32;
const BLOCK_BYTES = 16;
const CHUNK_BYTES = 64 * 1024;
const CHANNELS = 2;
const FRAME_BYTES = 2 * CHANNELS;

/** The file beside a recording that holds its original, encrypted. */
export const sealedPath = (path: string): string => `${path}.sealed`;

/**
 * A recording whose words are judged only after they are on the disk: it is encrypted with a key that this process
 * alone has, and written out, with the parts taken out, when the call is over. A killed process leaves nothing that can
 * be heard.
 */
export class SealedRecording {
  readonly #path: string;
  readonly #sound: NonNullable<RecordRedaction['sound']>;
  readonly #key: Uint8Array;

  readonly #createFile: (path: string) => Promise<RecordingFile>;

  /** `createFile` creates the file that is written out. */
  constructor(
    path: string,
    sound: NonNullable<RecordRedaction['sound']>,
    createFile: (path: string) => Promise<RecordingFile> = (name) => open(name, 'w', PRIVATE_FILE),
  ) {
    this.#path = path;
    this.#createFile = createFile;
    this.#sound = sound;
    this.#key = sound.key ?? randomBytes(KEY_BYTES);
  }

  /** Opens the encrypted file; writes go to any position. */
  async openFile(): Promise<RecordingFile> {
    const file = await open(sealedPath(this.#path), 'w', PRIVATE_FILE);
    return {
      write: (bytes, offset, length, position) => {
        const plain = bytes.subarray(offset, offset + length);
        return file.write(crypt(this.#cipher(), plain, position), 0, length, position);
      },
      truncate: (size) => file.truncate(size),
      close: () => file.close(),
    };
  }

  /**
   * Writes the recording without the parts, and removes the encrypted one unless originals are kept. If that fails,
   * nothing half-written is left.
   */
  async finish(own: RecordingInfo, signal: AbortSignal): Promise<RecordingInfo> {
    try {
      await this.#writeOut(own, signal);
    } catch (error) {
      await rm(this.#path, { force: true });
      throw error;
    } finally {
      if (!this.#sound.key) await this.remove();
    }
    return { ...own, path: this.#path };
  }

  async #writeOut({ sampleRateHz, bytes }: RecordingInfo, signal: AbortSignal): Promise<void> {
    const parts = this.#sound.parts().map(({ fromMs, toMs }) => ({
      from: Math.floor((fromMs * sampleRateHz) / 1000),
      to: Math.ceil((toMs * sampleRateHz) / 1000),
    }));
    const source = await open(sealedPath(this.#path), 'r');
    try {
      const target = await this.#createFile(this.#path);
      try {
        const dataBytes = bytes - WAV_HEADER_BYTES;
        const header = wavHeader({ sampleRateHz, channels: CHANNELS, dataBytes });
        await writeWhole(target, header, 0);
        for (let at = 0; at < dataBytes; at += CHUNK_BYTES) {
          signal.throwIfAborted();
          const position = WAV_HEADER_BYTES + at;
          const length = Math.min(CHUNK_BYTES, dataBytes - at);
          const chunk = await readChunk(source, { ...this.#cipher(), position, length });
          const by = this.#sound.by;
          muteParts(new Int16Array(chunk.buffer), parts, {
            ...{ at: at / FRAME_BYTES, channels: CHANNELS, sampleRateHz, by },
          });
          await writeWhole(target, chunk, position);
        }
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  }

  /** Removes the encrypted file. */
  async remove(): Promise<void> {
    await rm(sealedPath(this.#path), { force: true });
  }

  #cipher(): Cipher {
    return { key: this.#key, file: basename(this.#path) };
  }
}

interface Cipher {
  readonly key: Uint8Array;
  /** Name of the recording: files of one key differ by it. */
  readonly file: string;
}

interface Chunk extends Cipher {
  readonly position: number;
  readonly length: number;
}

/** Decrypts a part of a sealed recording; shorter at the file's end. The array owns its buffer. */
async function readChunk(handle: FileHandle, chunk: Chunk): Promise<Uint8Array> {
  const { position, length } = chunk;
  const sealed = Buffer.alloc(length);
  const { bytesRead } = await handle.read(sealed, 0, length, position);
  return new Uint8Array(crypt(chunk, sealed.subarray(0, bytesRead), position));
}

/** AES-256 in counter mode from a byte position of the file on: encrypts and decrypts. */
function crypt({ key, file }: Cipher, bytes: Uint8Array, position: number): Buffer {
  const counter = Buffer.alloc(BLOCK_BYTES);
  counter.write(hash('sha256', file).slice(0, BLOCK_BYTES), 'hex');
  counter.writeBigUInt64BE(BigInt(Math.floor(position / BLOCK_BYTES)), BLOCK_BYTES / 2);
  const cipher = createCipheriv('aes-256-ctr', key, counter);
  cipher.update(Buffer.alloc(position % BLOCK_BYTES));
  return cipher.update(bytes);
}
