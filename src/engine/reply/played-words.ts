import { wordsOf } from '../language/words.ts';
import type { Effects } from '../machine/effects.ts';
import type { CallState } from '../state/call-state.ts';
import type { Utterance } from '../state/reply.ts';
import type { PlayedWord } from '../state/transcript.ts';
import { guessWordTimes } from './guessed-times.ts';

/** After a hold the word that it cut is said again. */
const SAID_AGAIN_MS = 400;
/** Longer than the recogniser, and a time that is only guessed, may be late. */
const KEPT_MS = 6000;

/** C9: the assistant's words that have been played; recognised text is compared with them. */
export function playedWords(state: CallState, effects: Effects): readonly PlayedWord[] {
  const sounding = state.assistant.reply?.utterances.find(({ stage }) => stage === 'playing');
  if (sounding) notePlayed(state, effects, sounding);
  return state.assistant.played;
}

/** Notes the words of an utterance that plays or was played, estimated by the time since its last mark while it plays. */
export function notePlayed(state: CallState, effects: Effects, utterance: Utterance): void {
  const { text, words, totalMs, stage, markedAt } = utterance;
  const isSounding =
    stage === 'playing' &&
    effects.chart.assistant === 'speaking' &&
    effects.chart.media === 'connected';
  const playedMs = utterance.playedMs + (isSounding ? effects.now - markedAt : 0);
  const startedAt = markedAt - utterance.playedMs;
  // What sounded before a hold keeps its time: the rest comes later than it would have.
  const fromMs = Math.max(0, utterance.resumedMs - SAID_AGAIN_MS);
  const before = state.assistant.played.filter(
    (word) => word.at < startedAt + fromMs && effects.now - word.at < KEPT_MS,
  );
  const timed =
    words.length > 0
      ? words.flatMap(({ word, startMs }) =>
          wordsOf(word).map((each) => ({ word: each, startMs, marginMs: 0 })),
        )
      : guessWordTimes(text, totalMs);
  const now = timed
    .filter(
      ({ startMs, marginMs }) =>
        startMs >= fromMs && startMs - marginMs <= playedMs && playedMs - startMs < KEPT_MS,
    )
    .map(({ word, startMs, marginMs }) => ({ word, at: startedAt + startMs, marginMs }));
  state.assistant.played = [...before, ...now];
}
