import { createReadStream } from 'node:fs';
import { open, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { WAV_HEADER_BYTES, wavLengthPatches } from '../audio/wav-header.ts';
import { makePrivateFolder, PRIVATE_FILE } from '../lib/private-files.ts';
import type { RecordingReader } from '../ports/recordings.ts';

/** Reads recordings in a local folder. */
export const recordingReader: RecordingReader = {
  async size(path) {
    try {
      return (await stat(path)).size;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  },
  open: (path, { first, last }) => createReadStream(path, { start: first, end: last }),
};

/** Path of a call's file: in the folder of recordings, or in a subfolder given by an override. */
export function callFilePath(
  folder: string,
  call: { readonly id: string; readonly recordingPath?: string | undefined },
  extension: 'wav' | 'txt',
): string {
  return join(folder, call.recordingPath ?? '', `${call.id}.${extension}`);
}

/** Writes a file and renames it once complete, so that no file under its final name is truncated. */
export async function writeCallFile(path: string, text: string): Promise<void> {
  await makePrivateFolder(dirname(path));
  await writeFile(`${path}.part`, text, { mode: PRIVATE_FILE });
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
  folder: string,
  isAbandoned: (callId: string) => Promise<boolean>,
): Promise<readonly RepairedRecording[]> {
  const repaired: RepairedRecording[] = [];
  // Overrides may have named subfolders.
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.wav')) continue;
    const path = join(folder, name);
    const callId = basename(name, '.wav');
    const recording = await repair(path, () => isAbandoned(callId));
    if (recording) repaired.push({ callId, path, ...recording });
  }
  return repaired;
}

/** Corrects the recording of a call that has ended; undefined if there is none or it is complete. */
export async function repairRecording(
  folder: string,
  call: { readonly id: string; readonly recordingPath?: string | undefined },
): Promise<RepairedRecording | undefined> {
  const path = callFilePath(folder, call, 'wav');
  try {
    const recording = await repair(path, async () => true);
    return recording && { callId: call.id, path, ...recording };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function repair(path: string, isAbandoned: () => Promise<boolean>) {
  const file = await open(path, 'r+');
  try {
    const header = Buffer.alloc(WAV_HEADER_BYTES);
    const { bytesRead } = await file.read(header, 0, WAV_HEADER_BYTES, 0);
    if (bytesRead < WAV_HEADER_BYTES || header.readUInt32LE(40) !== UNKNOWN_LENGTH)
      return undefined;
    if (!(await isAbandoned())) return undefined;
    const { size } = await file.stat();
    // A frame has two channels of two bytes; an incomplete last frame is left out.
    const dataBytes = size - WAV_HEADER_BYTES - ((size - WAV_HEADER_BYTES) % 4);
    for (const patch of wavLengthPatches(dataBytes)) {
      await file.write(patch.bytes, 0, patch.bytes.length, patch.offset);
    }
    const sampleRateHz = header.readUInt32LE(SAMPLE_RATE_OFFSET_BYTES);
    const durationMs = Math.round((dataBytes / 4 / sampleRateHz) * 1000);
    return { sampleRateHz, durationMs, bytes: WAV_HEADER_BYTES + dataBytes };
  } finally {
    await file.close();
  }
}
