import type { CallEvent } from '../engine/machine/events.ts';

/** An event at an instant of the call. */
export interface DatedEvent {
  readonly at: number;
  readonly event: CallEvent;
}

export interface Saying {
  /** How long it sounds. @defaultValue 300 ms a word */
  readonly ms?: number;
  /** From the end of speech to the final text. @defaultValue 150 */
  readonly finalMs?: number;
  /** Interims every 250 ms. @defaultValue true */
  readonly interims?: boolean;
  /** Whether voice activity notices it. @defaultValue true */
  readonly vad?: boolean;
}

/** Voice activity is sure of a voice, and of its end, only after so long. */
const ONSET_MS = 80;
const STOP_MS = 200;
const ALIVE_MS = 500;
const MS_PER_WORD = 300;

/** Sound without words, as voice activity reports it. */
export function voiceEvents(at: number, ms: number): DatedEvent[] {
  const events: DatedEvent[] = [{ at: at + ONSET_MS, event: { type: 'vad.start', onsetAt: at } }];
  for (let t = at + ONSET_MS + ALIVE_MS; t < at + ms; t += ALIVE_MS)
    events.push({ at: t, event: { type: 'vad.alive' } });
  const stop: CallEvent = { type: 'vad.stop', speechEndAt: at + ms };
  return [...events, { at: at + Math.max(100, ms) + STOP_MS, event: stop }];
}

/** What voice activity and a recogniser of ordinary speed report of words, and when the speech ends. */
export function utteranceEvents(
  segId: string,
  text: string,
  at: number,
  options: Saying = {},
): { readonly endAt: number; readonly events: readonly DatedEvent[] } {
  const words = text.split(' ').filter((word) => word !== '');
  const ms = options.ms ?? Math.max(1, words.length) * MS_PER_WORD;
  const endAt = at + ms;
  const events = options.vad === false ? [] : voiceEvents(at, ms);
  if (words.length === 0) return { endAt, events };
  const hear = (type: 'stt.interim' | 'stt.final', when: number, said: string) =>
    events.push({
      at: when,
      event: { type, segId, text: said, startAt: at, endAt: Math.min(when, endAt), conf: 0.9 },
    });
  for (let t = at + 350; options.interims !== false && t < endAt; t += 250) {
    const count = Math.floor(((t - at - 150) / ms) * words.length);
    if (count > 0) hear('stt.interim', t, words.slice(0, count).join(' '));
  }
  hear('stt.final', endAt + (options.finalMs ?? 150), text);
  return { endAt, events };
}
