import { createReadStream } from 'node:fs';
import { open, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { WAV_HEADER_BYTES, wavLengthPatches } from '../audio/wav-header.ts';
import { makePrivateFolder, PRIVATE_FILE } from '../lib/private-files.ts';
import type { RecordingReader } from '../ports/recordings.ts';

/** Recordings in a local folder. */
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

/** Where a call's file is kept: in the folder of recordings, or the one within it that an override names. */
export function callFilePath(
  folder: string,
  call: { readonly id: string; readonly recordingPath?: string | undefined },
  extension: 'wav' | 'txt',
): string {
  return join(folder, call.recordingPath ?? '', `${call.id}.${extension}`);
}

/** Written aside and moved: what stands under its name is whole. */
export async function writeCallFile(path: string, text: string): Promise<void> {
  await makePrivateFolder(dirname(path));
  await writeFile(`${path}.part`, text, { mode: PRIVATE_FILE });
  await rename(`${path}.part`, path);
}

const UNKNOWN_LENGTH = 0xffff_ffff;
const SAMPLE_RATE_OFFSET = 24;

export interface RepairedRecording {
  readonly callId: string;
  readonly path: string;
  readonly sampleRateHz: number;
  readonly durationMs: number;
  readonly bytes: number;
}

/** Gives the recordings that a killed process left behind their true length; others may still grow. */
export async function repairRecordings(
  folder: string,
  isAbandoned: (callId: string) => Promise<boolean>,
): Promise<readonly RepairedRecording[]> {
  const repaired: RepairedRecording[] = [];
  // Overrides may name folders within it.
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.wav')) continue;
    const path = join(folder, name);
    const callId = basename(name, '.wav');
    const recording = await repair(path, () => isAbandoned(callId));
    if (recording) repaired.push({ callId, path, ...recording });
  }
  return repaired;
}

/** The same for the recording of one call that is known to be over; nothing when it has none, or a whole one. */
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
    // Two channels of two bytes: a torn last sample is left out.
    const dataBytes = size - WAV_HEADER_BYTES - ((size - WAV_HEADER_BYTES) % 4);
    for (const patch of wavLengthPatches(dataBytes)) {
      await file.write(patch.bytes, 0, patch.bytes.length, patch.offset);
    }
    const sampleRateHz = header.readUInt32LE(SAMPLE_RATE_OFFSET);
    const durationMs = Math.round((dataBytes / 4 / sampleRateHz) * 1000);
    return { sampleRateHz, durationMs, bytes: WAV_HEADER_BYTES + dataBytes };
  } finally {
    await file.close();
  }
}
