import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { WAV_HEADER_BYTES, wavHeader } from '../audio/wav-header.ts';
import { type ContentFile, readContent, writeWhole } from '../lib/content-file.ts';
import type { CallFiles } from './call-files.ts';

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

/** The last group is that of a file beside a part: its sealed original, or one that is being encrypted. */
const PART = /^(.*)\.(\d+)\.part\.wav(\.sealed|\.sealing)?$/;
const SAMPLE_RATE_OFFSET_BYTES = 24;
const DATA_BYTES_OFFSET = 40;
/** A sample of each of the two channels. */
const FRAME_BYTES = 4;
/** For longer no caller's side plays what it has from an earlier process. */
const HEARD_ON_MS = 1000;
/** A killed process has not closed its file, which therefore cannot be opened for reading alone. */
const UNFINISHED = 'r+';

/** The file of a process that took a call over, `atMs` after the call was created. */
export function partPath(path: string, atMs: number): string {
  return path.replace(/\.wav$/, `.${Math.round(atMs)}.part.wav`);
}

/**
 * Joins the files that the processes of a call have recorded into one, in which a gap is silence of the same length. It
 * is a new file even if there was one process only: if that was frozen, it may write to its own again. Returns undefined
 * if there is no sound. All have the sample rate of the first.
 */
export async function joinRecordings(
  files: CallFiles,
  path: string,
  {
    teamId,
    signal,
    wasTakenOver = true,
  }: {
    readonly teamId: string;
    readonly signal?: AbortSignal;
    /** False: only one process had the call, so that the folder, which may be large, is not searched for others' files. */
    readonly wasTakenOver?: boolean;
  },
): Promise<Joined | undefined> {
  const parts = wasTakenOver ? await listParts(path) : [];
  const sources: Part[] = [];
  for (const part of [{ path, atMs: 0 }, ...parts])
    if (await hasSound(files, part.path)) sources.push(part);
  const [first] = sources;
  if (!first) return undefined;
  const { sampleRateHz } = await headerOf(files, first.path);
  const joined = joinedPath(path);
  const file = await files.create(joined, teamId);
  try {
    let dataBytes = 0;
    let wasLeft = false;
    for (const source of sources) {
      const at = Math.round((source.atMs * sampleRateHz) / 1000) * FRAME_BYTES;
      const written = dataBytes - at;
      // A process that left the call has written what the caller's side played after that. What others wrote after a
      // later one had the call was never heard; what nobody wrote is zeros.
      const mostHeard = (HEARD_ON_MS * sampleRateHz * FRAME_BYTES) / 1000;
      const isHeard = wasLeft && written > 0 && written <= mostHeard;
      const heard = isHeard ? await file.read(WAV_HEADER_BYTES + at, written) : undefined;
      if (written > 0) await file.truncate(WAV_HEADER_BYTES + at);
      dataBytes = at + (await copyData(files, source.path, file, WAV_HEADER_BYTES + at, signal));
      if (heard) dataBytes = await mixIn(file, heard, at, dataBytes);
      wasLeft = (await headerOf(files, source.path)).isClosed;
    }
    await writeWhole(file, wavHeader({ sampleRateHz, channels: 2, dataBytes }), 0);
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

/** Adds sound of an earlier process to what was written from byte `at` of the data on. Returns the bytes of all data. */
async function mixIn(
  file: ContentFile,
  heard: Buffer,
  at: number,
  dataBytes: number,
): Promise<number> {
  const position = WAV_HEADER_BYTES + at;
  const written = await file.read(position, Math.min(heard.length, dataBytes - at));
  for (let i = 0; i + 1 < written.length; i += 2) {
    const sum = heard.readInt16LE(i) + written.readInt16LE(i);
    heard.writeInt16LE(Math.max(-32_768, Math.min(32_767, sum)), i);
  }
  await writeWhole(file, heard, position);
  return Math.max(dataBytes, at + heard.length);
}

/** The files from which a recording is still to be joined. */
export async function pathsOfParts(path: string): Promise<readonly string[]> {
  return (await listParts(path)).map((part) => part.path);
}

/** Removes the files from which a recording is joined, those beside them, and what an interrupted joining has left. */
export async function removeParts(path: string): Promise<void> {
  for (const part of await listFiles(path)) await rm(part.path, { force: true });
  await rm(joinedPath(path), { force: true });
}

const joinedPath = (path: string): string => `${path}.joined`;

async function listParts(path: string): Promise<readonly Part[]> {
  return (await listFiles(path))
    .filter(({ isBeside }) => !isBeside)
    .toSorted((a, b) => a.atMs - b.atMs);
}

async function listFiles(
  path: string,
): Promise<readonly (Part & { readonly isBeside: boolean })[]> {
  const folder = dirname(path);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.flatMap((name) => {
    const [, call, atMs, beside] = PART.exec(name) ?? [];
    return call === basename(path, '.wav')
      ? [{ path: join(folder, name), atMs: Number(atMs), isBeside: beside !== undefined }]
      : [];
  });
}

/** Copies whole frames after the header; returns their bytes. */
async function copyData(
  files: CallFiles,
  from: string,
  to: ContentFile,
  position: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const source = await files.open(from, UNFINISHED);
  try {
    const bytes = Math.max(0, (await source.size()) - WAV_HEADER_BYTES);
    const whole = bytes - (bytes % FRAME_BYTES);
    let at = position;
    const range = { first: WAV_HEADER_BYTES, last: WAV_HEADER_BYTES + whole - 1 };
    for await (const chunk of readContent(source, range)) {
      signal?.throwIfAborted();
      await writeWhole(to, chunk, at);
      at += chunk.length;
    }
    return whole;
  } finally {
    await source.close();
  }
}

async function headerOf(files: CallFiles, path: string) {
  const file = await files.open(path, UNFINISHED);
  try {
    const header = await file.read(0, WAV_HEADER_BYTES);
    return {
      sampleRateHz: header.readUInt32LE(SAMPLE_RATE_OFFSET_BYTES),
      /** False if its process was killed. */
      isClosed: WAV_HEADER_BYTES + header.readUInt32LE(DATA_BYTES_OFFSET) === (await file.size()),
    };
  } finally {
    await file.close();
  }
}

/** False for a file that is missing, or of a process that died before it had written its header. */
async function hasSound(files: CallFiles, path: string): Promise<boolean> {
  const file = await files.open(path, UNFINISHED).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!file) return false;
  try {
    return (await file.size()) > WAV_HEADER_BYTES;
  } finally {
    await file.close();
  }
}
