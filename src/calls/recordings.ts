import { readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { WAV_HEADER_BYTES, wavLengthPatches } from '../audio/wav-header.ts';
import { readContent, writeWhole } from '../lib/content-file.ts';
import { isMissing } from '../lib/disk-errors.ts';
import { makePrivateFolder } from '../lib/private-files.ts';
import { SealedFileError } from '../lib/sealed-bytes.ts';
import type { ByteRange } from '../ports/download.ts';
import type { RecordingReader } from '../ports/recordings.ts';
import type { CallFiles } from './call-files.ts';

/** Reads recordings in a local folder, encrypted or not. */
export function createRecordingReader(
  files: Pick<CallFiles, 'open' | 'link'>,
  folder: string,
): RecordingReader {
  return {
    async size(path) {
      try {
        const file = await files.open(join(folder, path), 'r');
        return await file.size().finally(() => file.close());
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    open: (path, range) =>
      Readable.from(readRange(files, join(folder, path), range), { objectMode: false }),
    link: (path, options) => files.link(join(folder, path), options),
  };
}

async function* readRange(files: Pick<CallFiles, 'open'>, path: string, range: ByteRange) {
  const file = await files.open(path, 'r');
  try {
    yield* readContent(file, range);
  } finally {
    await file.close();
  }
}

/** Path of a call's file: in the folder of recordings, or in a subfolder given by an override. */
export function callFilePath(
  folder: string,
  call: { readonly id: string; readonly recordingPath?: string | null | undefined },
  extension: 'wav' | 'txt',
): string {
  return join(folder, call.recordingPath ?? '', `${call.id}.${extension}`);
}

/** Writes a file and renames it once complete, so that no file under its final name is truncated. */
export async function writeCallFile(
  files: Pick<CallFiles, 'create'>,
  { path, teamId, text }: { readonly path: string; readonly teamId: string; readonly text: string },
): Promise<void> {
  await makePrivateFolder(dirname(path));
  const file = await files.create(`${path}.part`, teamId);
  try {
    await writeWhole(file, Buffer.from(text), 0);
    // Else a machine that loses its power may have the name and not the content.
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
}

const UNKNOWN_LENGTH = 0xffff_ffff;
const SAMPLE_RATE_OFFSET_BYTES = 24;

export interface RepairedRecording {
  readonly callId: string;
  readonly path: string;
  readonly sampleRateHz: number;
  readonly durationMs: number;
  readonly bytes: number;
}

/** Corrects the length in the headers of abandoned recordings; others may still grow. */
export async function repairRecordings(
  files: CallFiles,
  folder: string,
  isAbandoned: (callId: string) => Promise<boolean>,
): Promise<readonly RepairedRecording[]> {
  const repaired: RepairedRecording[] = [];
  // Overrides may have named subfolders.
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.wav')) continue;
    const path = join(folder, name);
    const callId = basename(name, '.wav');
    // Nobody can read a file whose key was thrown away.
    const recording = await repair(files, path, () => isAbandoned(callId)).catch((error) => {
      if (error instanceof SealedFileError) return undefined;
      throw error;
    });
    if (recording) repaired.push({ callId, path, ...recording });
  }
  return repaired;
}

async function repair(files: CallFiles, path: string, isAbandoned: () => Promise<boolean>) {
  const file = await files.open(path, 'r+');
  try {
    const header = await file.read(0, WAV_HEADER_BYTES);
    if (header.length < WAV_HEADER_BYTES) return undefined;
    const size = await file.size();
    const given = header.readUInt32LE(40);
    // Its process was killed between its last two writes.
    const lacksLength = !file.isFinished && given === size - WAV_HEADER_BYTES;
    if (given !== UNKNOWN_LENGTH && !lacksLength) return undefined;
    if (!(await isAbandoned())) return undefined;
    // A frame has two channels of two bytes; an incomplete last frame is left out.
    const dataBytes = size - WAV_HEADER_BYTES - ((size - WAV_HEADER_BYTES) % 4);
    // Of an encrypted file, a last block that was torn is left out.
    await file.truncate(size);
    for (const { offset, bytes } of wavLengthPatches(dataBytes))
      await writeWhole(file, bytes, offset);
    const sampleRateHz = header.readUInt32LE(SAMPLE_RATE_OFFSET_BYTES);
    const durationMs = Math.round((dataBytes / 4 / sampleRateHz) * 1000);
    return { sampleRateHz, durationMs, bytes: WAV_HEADER_BYTES + dataBytes };
  } finally {
    await file.close();
  }
}
