import { wordsOf } from '../language/words.ts';
import type { Mind } from '../machine/mind.ts';
import { ECHO_WINDOW_MS, type PlayedWord } from '../turn/echo.ts';
import type { Utterance } from './reply.ts';

/** C9 compares what is recognised with these: up to now, what the caller heard of the assistant. */
export function playedWords(mind: Mind): readonly PlayedWord[] {
  const sounding = mind.reply?.utterances.find(({ state }) => state === 'playing');
  if (sounding) notePlayed(mind, sounding);
  return mind.played;
}

/** Notes what of this piece was heard; from its last mark on while it plays, the time tells. */
export function notePlayed(mind: Mind, utterance: Utterance): void {
  const { words, state, markedAt } = utterance;
  if (state !== 'playing' && state !== 'done') return;
  const isSounding = state === 'playing' && mind.assistant === 'speaking' && !mind.mediaLost;
  const playedMs = utterance.playedMs + (isSounding ? mind.now - markedAt : 0);
  const startedAt = markedAt - utterance.playedMs;
  const before = mind.played.filter(
    (word) => word.at < startedAt && mind.now - word.at < 2 * ECHO_WINDOW_MS,
  );
  const now = words
    .filter(({ startMs }) => startMs <= playedMs && playedMs - startMs < 2 * ECHO_WINDOW_MS)
    .flatMap(({ word, startMs }) =>
      wordsOf(word).map((w) => ({ word: w, at: startedAt + startMs })),
    );
  mind.played = [...before, ...now];
}
