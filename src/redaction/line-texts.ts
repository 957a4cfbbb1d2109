import type { JournalLine } from '../ports/journal.ts';
import { maskText, type Span } from './span.ts';

/** Lines that hold no words of anybody, or those of the assistant's owner alone. */
const CLEAN: ReadonlySet<string> = new Set([
  ...['leg.ringing', 'leg.answered', 'leg.failed', 'remote.hangup', 'media.lost', 'media.resumed'],
  ...['vad.start', 'vad.maybe', 'vad.level', 'vad.stop', 'vad.alive', 'stt.ready', 'stt.eot'],
  ...['predict.result', 'beep', 'llm.done', 'tts.audio', 'tts.done', 'play.started', 'play.mark'],
  ...['play.held', 'play.finished', 'play.cleared', 'call.resumed', 'llm.cancel', 'llm.adopt'],
  ...['stt.voice', 'tts.cancel', 'play.start', 'play.hold', 'play.release', 'play.volume'],
  ...['play.clear', 'play.backchannel', 'leg.dial', 'leg.bridge', 'leg.hangup', 'hold.music'],
  ...['leg.resume'],
  ...['tool.cancel', 'state', 'turn.metrics', 'status', 'control.accepted', 'control.refused'],
  ...['hangup', 'finish', 'llm.usage', 'llm.wasted', 'recording.stopped', 'recording.consent'],
  ...['system.end'],
]);

/** Lines whose texts may end in the middle of a number that somebody dictates. */
const UNFINISHED: ReadonlySet<string> = new Set([
  ...['stt.interim', 'stt.final', 'predict', 'supervisor.said'],
]);

/** Fields that name things of the engine or of the assistant's configuration. */
const NAMES: ReadonlySet<string> = new Set([
  ...['type', 'kind', 'role', 'reason', 'code', 'provider', 'messageId', 'segId', 'toolCallId'],
  ...['callId', 'id', 'engineVersion', 'url', 'tools', 'trigger', 'digest', 'holdMusicUrl'],
  ...['phoneNumber', 'languages', 'predictor', 'callType', 'direction', 'lines', 'vendor'],
  ...['successor', 'port', 'note'],
]);

/** A text of a line, and whether a number in it may go on later. */
export interface LineText {
  readonly text: string;
  readonly unfinished: boolean;
}

export const isClean = ({ type }: JournalLine): boolean => CLEAN.has(type);

/** The texts of a line in a fixed order, which {@link withTexts} takes back. */
export function textsOf(line: JournalLine): readonly LineText[] {
  if (isClean(line)) return [];
  const words = wordsOf(line);
  if (words) return [{ text: words.map(({ word }) => word).join(' '), unfinished: false }];
  const texts: LineText[] = [];
  const { role } = line.data;
  const ofLine = UNFINISHED.has(line.type) || (line.type === 'transcript.live' && role === 'user');
  mapTexts(line.data, (text, isDictated) => {
    texts.push({ text, unfinished: ofLine || isDictated });
    return text;
  });
  return texts;
}

/** The line with its texts replaced, in the order of {@link textsOf}; spans are those found in the texts. */
export function withTexts(
  line: JournalLine,
  found: readonly { readonly masked: string; readonly spans: readonly Span[] }[],
): JournalLine {
  const words = wordsOf(line);
  if (words)
    return { ...line, data: { ...line.data, words: maskWords(words, found[0]?.spans ?? []) } };
  let next = 0;
  const data = mapTexts(line.data, () => found[next++]?.masked ?? '') as JournalLine['data'];
  // A digest of texts of which little is secret would let it be guessed.
  const { digest: _, ...rest } = data;
  return { ...line, data: rest };
}

interface Word {
  readonly word: string;
}

function wordsOf({ type, data }: JournalLine): readonly Word[] | undefined {
  return type === 'tts.words' && Array.isArray(data.words) ? (data.words as Word[]) : undefined;
}

/** Words one after the other with spaces between them, as `textsOf` joins them. */
function maskWords(words: readonly Word[], spans: readonly Span[]): readonly Word[] {
  let at = 0;
  return words.map((word) => {
    const [start, end] = [at, at + word.word.length];
    at = end + 1;
    const span = spans.find((one) => one.start < end && one.end > start);
    return span ? { ...word, word: `[${span.label}]` } : word;
  });
}

type MapText = (text: string, isDictated: boolean) => string;

function mapTexts(value: unknown, map: MapText, isDictated = false): unknown {
  if (typeof value === 'string')
    return /[\p{L}\p{N}]/u.test(value) ? map(value, isDictated) : value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map, isDictated));
  if (typeof value !== 'object' || value === null) return value;
  const ofPerson = isDictated || isOfPerson(value);
  return mapFields(value, (item, key) => {
    if (key === 'arguments') return mapArguments(item, map);
    return NAMES.has(key) ? item : mapTexts(item, map, ofPerson);
  });
}

/** True of a message of the caller, or of a person who has taken the call over. */
const isOfPerson = (value: { role?: unknown; isSpoken?: unknown; spokenFrom?: unknown }) =>
  value.role === 'user' || value.isSpoken === true || value.spokenFrom !== undefined;

/** A tool's arguments have names of its owner's own, and numbers that are none to reckon with, as of a card. */
function mapArguments(value: unknown, map: MapText): unknown {
  if (typeof value === 'number') {
    const masked = map(String(value), false);
    return masked === String(value) ? value : masked;
  }
  if (Array.isArray(value)) return value.map((item) => mapArguments(item, map));
  if (typeof value !== 'object' || value === null) return mapTexts(value, map);
  return mapFields(value, (item) => mapArguments(item, map));
}

const mapFields = (value: object, map: (item: unknown, key: string) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([key, item]) => [key, map(item, key)]));

/** A text without its spans, in full. */
export const maskedBy = (text: string, spans: readonly Span[]) => ({
  masked: maskText(text, spans),
  spans,
});
