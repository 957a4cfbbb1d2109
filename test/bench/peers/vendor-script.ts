/** The call and the party that a request to the model is about. */
export function partyOf(
  prompt: string,
): { readonly callId: string; readonly party: string } | undefined {
  const [, callId, number] = /Call (\S+) of \(([^)]*)\)/.exec(prompt) ?? [];
  return callId === undefined ? undefined : { callId, party: number || callId };
}

/** Audio of one piece of a reply, whatever its text. */
export const UTTERANCE_MS = 1600;

/** Two sentences, another word in each reply: a voice's cache is not to answer. */
export function replyTokens(n: number): readonly string[] {
  const text = `We are open from nine to five on every day of the week, ${word(n)}. Would you like me to make an appointment for you today, ${word(n)}?`;
  return text.split(/(?= )/);
}

/** The word that tells a reply from all others, in any piece of it. */
export const replyOf = (text: string): string | undefined => /\bna[b-m]+\b/.exec(text)?.[0];

/** A number as a word: figures would be read out. */
export function word(n: number): string {
  return `na${n.toString(10).replace(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)] as string)}`;
}

/** What the recogniser understands of a speaker's n-th utterance. */
export const heardText = (speaker: number, n: number) =>
  `Speaker ${word(speaker)} asks for ${word(n)}.`;

/** The speaker in such a text. */
export const speakerOf = (text: string): string | undefined => /Speaker (\w+) asks/.exec(text)?.[1];

/** The model's pace after the first sentence, which comes at once: what is measured is not the model. */
export const TOKEN_EVERY_MS = 12;
/** The voice's pace, four times real time. */
export const CHUNK_MS = 100;
export const CHUNK_EVERY_MS = 25;
