import type { JournalLine } from '../ports/journal.ts';
import type { LegNotice, PlaybackStats } from '../ports/media.ts';

/** Sample rates of the web media socket, in both directions. */
export const WEB_SAMPLE_RATES_HZ = [8000, 16_000, 24_000, 48_000] as const;

/** Largest client frame, text or audio. */
export const MAX_FRAME_BYTES = 64 * 1024;

export type WebCloseCode = 1003 | 1008 | 1009 | 1011 | 1013;

/** Why a socket is closed. The client gets an `error` frame first, then the close code. */
export interface WebFault {
  readonly code: string;
  readonly message: string;
  readonly closeCode: WebCloseCode;
}

/** Text frames from the client. */
export type WebClientFrame =
  /** `bufferedMs`: the client plays what it has when its call moves to another process, and still has so much. */
  | { readonly type: 'start'; readonly sampleRateHz: number; readonly bufferedMs?: number }
  | { readonly type: 'dtmf'; readonly digit: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'hangup' }
  | { readonly type: 'played'; readonly mark: string }
  | { readonly type: 'cleared'; readonly playedMs: number }
  | { readonly type: 'stats'; readonly stats: PlaybackStats };

/** Text frames from the server. */
export type WebServerFrame =
  | {
      readonly type: 'ready';
      readonly callId: string;
      readonly sampleRate: number;
      readonly resumeToken: string;
      /** How often the client should report its playback statistics. */
      readonly statsEveryMs: number;
      /** The caller's audio that may arrive at once after a break. */
      readonly heldAudioMs: number;
      /** After a resume: the caller's audio received since the first `ready`. */
      readonly receivedMs?: number;
    }
  /** `end`: an utterance ends here, so the next audio may come later. */
  | { readonly type: 'mark'; readonly mark: string; readonly end?: true }
  | { readonly type: 'clear' }
  | LegNotice
  | { readonly type: 'ended'; readonly reason: string };

/** What a leg hands to its connection; `line` is for clients that are told what happens. */
export type WebCommand = WebServerFrame | { readonly type: 'line'; readonly line: JournalLine };

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: WebFault };

// No text frame needs to be longer. A mark is echoed back, so it has its own limit.
const MAX_TEXT_CHARS = 4096;
const MAX_MARK_CHARS = 128;
const MAX_TYPED_CHARS = 2000;
// Far more than is ever sent ahead.
const MAX_BUFFERED_MS = 10_000;
// A report of more than a day of playback is a broken counter.
const MAX_PLAYED_MS = 86_400_000;

export const faults = {
  startExpected: fault(
    'start-expected',
    'the first message must be {"type":"start","sampleRate":…}',
    1008,
  ),
  startLate: fault('start-timeout', 'no start message came in time', 1008),
  startTwice: fault('unexpected-start', 'the socket has already started', 1008),
  unknownToken: fault('unknown-token', 'the token is unknown, used or expired', 1008),
  replaced: fault('replaced', 'the call continues on another socket', 1008),
  oddAudio: fault(
    'odd-length',
    'PCM16 audio needs an even number of bytes in every binary frame',
    1003,
  ),
  tooBig: fault('frame-too-big', `a frame may have ${MAX_FRAME_BYTES} bytes at most`, 1009),
  tooMuchAudio: fault('too-fast', 'audio comes faster than real time', 1008),
  tooManyFrames: fault('too-many-frames', 'too many frames per second', 1008),
  slowReader: fault('slow-reader', 'the client does not read what it is sent', 1008),
  busy: fault('busy', 'too many sockets wait to start; try again shortly', 1013),
  unavailable: fault('unavailable', 'the call could not be opened in time', 1011),
  internal: fault('internal', 'something went wrong', 1011),
} as const satisfies Record<string, WebFault>;

/** Parses one text frame of a client. */
export function parseClientFrame(text: string): Parsed<WebClientFrame> {
  if (text.length > MAX_TEXT_CHARS) {
    return bad('bad-message', `a text message may have ${MAX_TEXT_CHARS} characters at most`);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return bad('bad-message', 'a text message must be JSON');
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return bad('bad-message', 'a text message must be a JSON object');
  }
  return parseFrame(json as Readonly<Record<string, unknown>>);
}

/** The fault of a binary frame of this length, if any. */
export function checkAudioLength(bytes: number): WebFault | undefined {
  if (bytes > MAX_FRAME_BYTES) return faults.tooBig;
  return bytes % 2 === 0 ? undefined : faults.oddAudio;
}

export function serializeServerFrame(frame: WebServerFrame): string {
  return JSON.stringify(frame);
}

function parseFrame(frame: Readonly<Record<string, unknown>>): Parsed<WebClientFrame> {
  switch (frame.type) {
    case 'start':
      return parseStart(frame);
    case 'dtmf':
      return typeof frame.digit === 'string' && /^[0-9A-D*#]$/.test(frame.digit)
        ? good({ type: 'dtmf', digit: frame.digit })
        : bad('bad-message', 'dtmf: digit must be one of 0-9, A-D, * and #');
    case 'text':
      return isTyped(frame.text)
        ? good({ type: 'text', text: frame.text.trim() })
        : bad('bad-message', `text: text must be a text of 1 to ${MAX_TYPED_CHARS} characters`);
    case 'hangup':
      return good({ type: 'hangup' });
    case 'played':
      return isMark(frame.mark)
        ? good({ type: 'played', mark: frame.mark })
        : bad('bad-message', `played: mark must be a text of 1 to ${MAX_MARK_CHARS} characters`);
    case 'cleared':
      return isPlayedMs(frame.playedMs)
        ? good({ type: 'cleared', playedMs: frame.playedMs })
        : bad('bad-message', 'cleared: playedMs must be a number of milliseconds, 0 or more');
    case 'stats':
      return parseStats(frame);
    default:
      return bad(
        'unknown-type',
        'type must be one of start, dtmf, text, hangup, played, cleared, stats',
      );
  }
}

function parseStart({
  sampleRate,
  bufferedMs,
}: Readonly<Record<string, unknown>>): Parsed<WebClientFrame> {
  const sampleRateHz = WEB_SAMPLE_RATES_HZ.find((rate) => rate === sampleRate);
  if (sampleRateHz === undefined) {
    const rates = WEB_SAMPLE_RATES_HZ.join(', ');
    const message = `start: sampleRate must be one of ${rates}`;
    return { ok: false, fault: fault('unsupported-sample-rate', message, 1008) };
  }
  if (bufferedMs === undefined) return good({ type: 'start', sampleRateHz });
  return typeof bufferedMs === 'number' && bufferedMs >= 0 && bufferedMs <= MAX_BUFFERED_MS
    ? good({ type: 'start', sampleRateHz, bufferedMs })
    : bad(
        'bad-message',
        `start: bufferedMs must be a number of milliseconds from 0 to ${MAX_BUFFERED_MS}`,
      );
}

const COUNTERS = [
  'playedMs',
  'concealedMs',
  'concealments',
  'stretchedMs',
  'cutMs',
  'delayMs',
] as const satisfies readonly (keyof PlaybackStats)[];

function parseStats(frame: Readonly<Record<string, unknown>>): Parsed<WebClientFrame> {
  const { playedMs, concealedMs, concealments, stretchedMs, cutMs, delayMs } = frame;
  if (
    !isPlayedMs(playedMs) ||
    !isPlayedMs(concealedMs) ||
    !isPlayedMs(concealments) ||
    !Number.isInteger(concealments) ||
    !isPlayedMs(stretchedMs) ||
    !isPlayedMs(cutMs) ||
    !isPlayedMs(delayMs)
  ) {
    return bad('bad-message', `stats: ${COUNTERS.join(', ')} must be numbers, 0 or more`);
  }
  const stats = { playedMs, concealedMs, concealments, stretchedMs, cutMs, delayMs };
  return good({ type: 'stats', stats });
}

export function isTyped(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TYPED_CHARS;
}

function isMark(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 1 && value.length <= MAX_MARK_CHARS;
}

function isPlayedMs(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_PLAYED_MS;
}

function good<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

function bad(code: string, message: string): Parsed<never> {
  return { ok: false, fault: fault(code, message, 1003) };
}

function fault(code: string, message: string, closeCode: WebCloseCode): WebFault {
  return { code, message, closeCode };
}
