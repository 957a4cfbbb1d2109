import type { Unanswered } from '../carriers/emulator/emulated-carrier.ts';
import { type Parsed, WEB_SAMPLE_RATES_HZ } from './web-protocol.ts';

/** Text frames that a browser acting as a telephone may send. */
export type HandsetClientFrame =
  | { readonly type: 'start'; readonly sampleRateHz: number }
  | { readonly type: 'call'; readonly to: string }
  | { readonly type: 'answer' }
  /** `as`: what the caller's side is told of it. */
  | { readonly type: 'decline'; readonly as?: Unanswered }
  | { readonly type: 'hangup' }
  | { readonly type: 'dtmf'; readonly digit: string }
  | { readonly type: 'sms'; readonly to: string; readonly text: string };

/** Text frames sent to it. */
export type HandsetServerFrame =
  | {
      readonly type: 'ready';
      readonly number: string;
      readonly sampleRate: number;
      /** Admits the telephone's next socket, if this one breaks. */
      readonly resumeToken?: string;
      /** The call that it had goes on; what it is at follows. */
      readonly inCall?: true;
    }
  | { readonly type: 'dialling'; readonly to: string }
  | { readonly type: 'ringing'; readonly from: string }
  | { readonly type: 'answered'; readonly peer: string; readonly callId?: string }
  /** A person speaks with the caller of this call now. */
  | { readonly type: 'taken-over'; readonly callId: string; readonly sampleRate: number }
  | { readonly type: 'ended'; readonly reason: string }
  | { readonly type: 'sms'; readonly from: string; readonly text: string }
  | { readonly type: 'sms-sent'; readonly to: string }
  | {
      readonly type: 'refused';
      readonly request: 'call' | 'sms';
      readonly code: string;
      readonly message: string;
    }
  | { readonly type: 'error'; readonly code: string; readonly message: string };

const MAX_FRAME_CHARS = 8192;
const MAX_SMS_CHARS = 1600;
const E164 = /^\+[1-9]\d{1,14}$/;

/** Parses one text frame of a browser that acts as a telephone. */
export function parseHandsetFrame(text: string): Parsed<HandsetClientFrame> {
  if (text.length > MAX_FRAME_CHARS)
    return bad(`a text message may have ${MAX_FRAME_CHARS} characters at most`);
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    return bad('a text message must be JSON');
  }
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame))
    return bad('a text message must be a JSON object');
  return parseFields(frame as Readonly<Record<string, unknown>>);
}

function parseFields(frame: Readonly<Record<string, unknown>>): Parsed<HandsetClientFrame> {
  const { type, to, digit, text, sampleRate, as: outcome } = frame;
  switch (type) {
    case 'start': {
      const sampleRateHz = WEB_SAMPLE_RATES_HZ.find((rate) => rate === sampleRate);
      return sampleRateHz === undefined
        ? bad(`start: sampleRate must be one of ${WEB_SAMPLE_RATES_HZ.join(', ')}`)
        : good({ type, sampleRateHz });
    }
    case 'answer':
    case 'hangup':
      return good({ type });
    case 'decline': {
      const as = UNANSWERED.find((name) => name === outcome);
      return outcome === undefined || as
        ? good({ type, ...(as ? { as } : {}) })
        : bad(`decline: as must be one of ${UNANSWERED.join(', ')}`);
    }
    case 'dtmf':
      return typeof digit === 'string' && /^[0-9A-D*#]$/.test(digit)
        ? good({ type, digit })
        : bad('dtmf: digit must be one of 0-9, A-D, * and #');
    case 'call':
      return isNumber(to) ? good({ type, to }) : bad('call: to must be a number in E.164 form');
    case 'sms':
      if (!isNumber(to)) return bad('sms: to must be a number in E.164 form');
      return typeof text === 'string' && text.length >= 1 && text.length <= MAX_SMS_CHARS
        ? good({ type, to, text })
        : bad(`sms: text must have 1 to ${MAX_SMS_CHARS} characters`);
    default:
      return bad('type must be one of start, call, answer, decline, hangup, dtmf, sms');
  }
}

const UNANSWERED: readonly Unanswered[] = ['busy', 'no-answer', 'failed'];

function isNumber(value: unknown): value is string {
  return typeof value === 'string' && E164.test(value);
}

function good(value: HandsetClientFrame): Parsed<HandsetClientFrame> {
  return { ok: true, value };
}

function bad(message: string): Parsed<never> {
  return { ok: false, fault: { code: 'bad-message', message, closeCode: 1003 } };
}
