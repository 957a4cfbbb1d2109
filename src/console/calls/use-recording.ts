import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/client.ts';
import { leaveIfRefused, useClient } from '../session.ts';
import { chunksOf } from './chunks-of.ts';
import { Peaks } from './peaks.ts';
import { WavError, WavReader } from './wav-reader.ts';

/** A call's recording: loading, available, or failed. */
export interface Recording {
  readonly state: 'none' | 'loading' | 'ready' | 'failed';
  /** Peaks of what has been loaded so far. */
  readonly peaks?: Peaks;
  /** Object URL for playback. */
  readonly address?: string;
  readonly error?: unknown;
  /** 0 to 1. */
  readonly progress: number;
}

const NONE: Recording = { state: 'none', progress: 0 };
const LOADING: Recording = { state: 'loading', progress: 0 };
/** Enough for an hour of audio over a slow line. */
const LONGEST_MS = 15 * 60_000;
const REDRAW_MS = 120;

/**
 * Downloads a recording with the API key. The waveform is drawn while it loads; playback starts when it is complete.
 */
export function useRecording(callId: string, bytes: number | undefined): Recording {
  const client = useClient();
  const [recording, setRecording] = useState(bytes === undefined ? NONE : LOADING);
  useEffect(() => {
    if (bytes === undefined) return setRecording(NONE);
    const controller = new AbortController();
    let address: string | undefined;
    setRecording(LOADING);
    const show = (peaks: Peaks, gotBytes: number): void =>
      setRecording({ state: 'loading', peaks, progress: gotBytes / bytes });
    fetchRecording(client, { callId, signal: controller.signal, show }).then(
      ({ blob, peaks }) => {
        if (controller.signal.aborted) return;
        address = URL.createObjectURL(blob);
        setRecording({ state: 'ready', address, progress: 1, ...(peaks ? { peaks } : {}) });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        leaveIfRefused(error);
        const gone = error instanceof ApiError && error.status === 404;
        setRecording(gone ? NONE : { state: 'failed', error, progress: 0 });
      },
    );
    return () => {
      controller.abort();
      if (address !== undefined) URL.revokeObjectURL(address);
    };
  }, [client, callId, bytes]);
  return recording;
}

interface Fetching {
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly show: (peaks: Peaks, gotBytes: number) => void;
}

async function fetchRecording(client: Client, { callId, signal, show }: Fetching) {
  const path = { id: callId };
  const response = await client.open('getCallRecording', { path, signal, timeoutMs: LONGEST_MS });
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let peaks: Peaks | undefined;
  let gotBytes = 0;
  let unreadable = false;
  let shownAt = performance.now();
  const reader = new WavReader({
    onFormat: ({ sampleRateHz }) => {
      peaks = new Peaks(sampleRateHz);
    },
    onSamples: (samples) => peaks?.add(samples),
  });
  for await (const piece of chunksOf(response.body)) {
    pieces.push(piece);
    gotBytes += piece.length;
    if (!unreadable) unreadable = !isRead(reader, piece);
    if (!peaks || performance.now() - shownAt < REDRAW_MS) continue;
    shownAt = performance.now();
    show(peaks, gotBytes);
  }
  return { blob: new Blob(pieces, { type: 'audio/wav' }), peaks };
}

/** False if the audio cannot be drawn; it may still be playable. */
function isRead(reader: WavReader, piece: Uint8Array): boolean {
  try {
    reader.push(piece);
    return true;
  } catch (error) {
    if (error instanceof WavError) return false;
    throw error;
  }
}
