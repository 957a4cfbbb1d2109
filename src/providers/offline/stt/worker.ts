import { parentPort, workerData } from 'node:worker_threads';
import { SPEECH_PRIORITY, yieldToOthers } from '../../../lib/yield-to-others.ts';
import { Caller } from './caller.ts';
import { readDictionary } from './dictionary.ts';
import { buildGrammar, type Grammar } from './grammar.ts';
import type { Language } from './language.ts';
import { findLanguage } from './languages.ts';
import { createPronounce, type LookUp } from './pronounce.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import { Slots } from './slots.ts';
import { loadSoundSwallower } from './soundswallower-module.ts';

if (!parentPort) throw new Error('the recogniser runs in a thread of its own');
const port = parentPort;
yieldToOthers(SPEECH_PRIORITY);
const slots = new Slots(await loadSoundSwallower(), (workerData as { slots: number }).slots);
const dictionaries = new Map<string, LookUp>();
/** Calls of one assistant share their grammar. */
const grammars = new Map<string, Grammar>();
const MAX_GRAMMARS = 32;
const callers = new Map<number, Caller>();
const opening = new Set<number>();
/** Of the streams that share theirs with nobody. */
const ownSlots = new Map<number, Slots>();

function tell(message: FromWorker): void {
  port.postMessage(message);
}

function fail(streamId: number, error: unknown): void {
  tell({
    type: 'failed',
    streamId,
    message: error instanceof Error ? error.message : String(error),
  });
}

type Expected = Pick<Extract<ToWorker, { type: 'open' }>, 'phrases' | 'topics' | 'hints'>;

function grammarFor(language: Language, { phrases, topics, hints }: Expected): Grammar {
  const key = JSON.stringify([language.tag, phrases, topics, hints]);
  const known = grammars.get(key);
  // Re-inserted, which makes it the most recently used.
  grammars.delete(key);
  const grammar = known ?? newGrammar(language, { phrases, topics, hints });
  grammars.set(key, grammar);
  const [oldest] = grammars.keys();
  if (grammars.size > MAX_GRAMMARS && oldest !== undefined) grammars.delete(oldest);
  return grammar;
}

function newGrammar(language: Language, expected: Expected): Grammar {
  const lookUp = dictionaries.get(language.tag) ?? readDictionary(language.model);
  dictionaries.set(language.tag, lookUp);
  return buildGrammar({
    language,
    ...expected,
    pronounce: createPronounce(lookUp, language),
    knows: (word) => lookUp(word).length > 0,
  });
}

async function open(message: Extract<ToWorker, { type: 'open' }>): Promise<void> {
  const { streamId } = message;
  const language = findLanguage([message.language]);
  if (!language) throw new Error(`no such language: ${message.language}`);
  const grammar = grammarFor(language, message);
  opening.add(streamId);
  // Decoders of one module share the noise that is added to silence.
  const lent = message.ownDecoder ? new Slots(await loadSoundSwallower(), 1) : slots;
  await lent.warm(language, grammar);
  const isWanted = opening.delete(streamId);
  if (!isWanted && lent !== slots) lent.delete();
  if (!isWanted) return;
  if (lent !== slots) ownSlots.set(streamId, lent);
  callers.set(
    streamId,
    new Caller(language, grammar, lent, {
      interim: (segmentId, heard) => tell({ type: 'interim', streamId, segmentId, ...heard }),
      final: (segmentId, heard) => tell({ type: 'final', streamId, segmentId, ...heard }),
      consumed: (samples) => tell({ type: 'consumed', streamId, samples }),
      failed: (error) => fail(streamId, error),
    }),
  );
  const { unknownWords, droppedPhrases } = grammar;
  tell({ type: 'opened', streamId, unknownWords, droppedPhrases });
}

function handle(message: ToWorker): void {
  if (message.type === 'open') {
    open(message).catch((error) => fail(message.streamId, error));
    return;
  }
  if (message.type === 'close') opening.delete(message.streamId);
  const caller = callers.get(message.streamId);
  if (!caller) return;
  switch (message.type) {
    case 'start':
      caller.start(message.segmentId, message.startMs);
      break;
    case 'audio':
      caller.write(message.pcm);
      break;
    case 'end':
      caller.end();
      break;
    case 'close':
      callers.delete(message.streamId);
      caller.close();
      ownSlots.get(message.streamId)?.delete();
      ownSlots.delete(message.streamId);
  }
}

port.on('message', (message: ToWorker) => {
  try {
    handle(message);
  } catch (error) {
    fail(message.streamId, error);
  }
});
