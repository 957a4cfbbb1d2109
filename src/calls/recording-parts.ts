import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { WAV_HEADER_BYTES, wavHeader } from '../audio/wav-header.ts';
import { PRIVATE_FILE } from '../lib/private-files.ts';

interface Part {
  readonly path: string;
  /** When the part begins, ms since the call was created. */
  readonly atMs: number;
}

interface Joined {
  readonly path: string;
  readonly sampleRateHz: number;
  readonly durationMs: number;
  readonly bytes: number;
}

const PART = /^(.*)\.(\d+)\.part\.wav$/;
const SAMPLE_RATE_OFFSET_BYTES = 24;
/** A sample of each of the two channels. */
const FRAME_BYTES = 4;

/** The file of a process that took a call over, `atMs` after the call was created. */
export function partPath(path: string, atMs: number): string {
  return path.replace(/\.wav$/, `.${Math.round(atMs)}.part.wav`);
}

/**
 * Joins the recordings of all processes that had a call to one file, in which a gap between two is silence of the same
 * length. Undefined if there is only one, or none. All have the sample rate of the first.
 */
export async function joinRecordings(path: string): Promise<Joined | undefined> {
  const parts = await listParts(path);
  if (parts.length === 0) return undefined;
  const sources: Part[] = [];
  for (const part of [{ path, atMs: 0 }, ...parts])
    if (await hasSound(part.path)) sources.push(part);
  const [first] = sources;
  if (!first) return undefined;
  const sampleRateHz = await rateOf(first.path);
  const joined = joinedPath(path);
  const file = await open(joined, 'w', PRIVATE_FILE);
  try {
    let dataBytes = 0;
    for (const source of sources) {
      // What an earlier process wrote after a later one had the call is overwritten; what nobody wrote is zeros.
      const at = Math.round((source.atMs * sampleRateHz) / 1000) * FRAME_BYTES;
      if (at < dataBytes) await file.truncate(WAV_HEADER_BYTES + at);
      dataBytes = at + (await copyData(source.path, file, WAV_HEADER_BYTES + at));
    }
    await file.write(wavHeader({ sampleRateHz, channels: 2, dataBytes }), 0, WAV_HEADER_BYTES, 0);
    await file.sync();
    await rename(joined, path);
    await removeParts(path);
    const durationMs = Math.round((dataBytes / FRAME_BYTES / sampleRateHz) * 1000);
    return { path, sampleRateHz, durationMs, bytes: WAV_HEADER_BYTES + dataBytes };
  } catch (error) {
    await rm(joined, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Removes the files from which a recording is joined, and what an interrupted joining has left. */
export async function removeParts(path: string): Promise<void> {
  for (const part of await listParts(path)) await rm(part.path, { force: true });
  await rm(joinedPath(path), { force: true });
}

const joinedPath = (path: string): string => `${path}.joined`;

async function listParts(path: string): Promise<readonly Part[]> {
  const folder = dirname(path);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .flatMap((name) => {
      const [, call, atMs] = PART.exec(name) ?? [];
      return call === basename(path, '.wav')
        ? [{ path: join(folder, name), atMs: Number(atMs) }]
        : [];
    })
    .toSorted((a, b) => a.atMs - b.atMs);
}

/** Copies whole frames after the header; returns their bytes. */
async function copyData(from: string, to: FileHandle, position: number): Promise<number> {
  const { size } = await stat(from);
  const bytes = Math.max(0, size - WAV_HEADER_BYTES);
  const whole = bytes - (bytes % FRAME_BYTES);
  if (whole === 0) return 0;
  const source = createReadStream(from, {
    start: WAV_HEADER_BYTES,
    end: WAV_HEADER_BYTES + whole - 1,
  });
  let at = position;
  await pipeline(source, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      for (let sent = 0; sent < chunk.length; )
        sent += (await to.write(chunk, sent, chunk.length - sent, at + sent)).bytesWritten;
      at += chunk.length;
    }
  });
  return whole;
}

async function rateOf(path: string): Promise<number> {
  const file = await open(path);
  try {
    const header = Buffer.alloc(WAV_HEADER_BYTES);
    await file.read(header, 0, WAV_HEADER_BYTES, 0);
    return header.readUInt32LE(SAMPLE_RATE_OFFSET_BYTES);
  } finally {
    await file.close();
  }
}

/** False for a file that is missing, or of a process that died before it had written its header. */
async function hasSound(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile() && found.size > WAV_HEADER_BYTES,
    () => false,
  );
}
