const STOP = new Set([
  'stop',
  'stopall',
  'unsubscribe',
  'cancel',
  'end',
  'quit',
  'optout',
  'revoke',
]);
const START = new Set(['start', 'unstop', 'yes']);

/** What a text that is nothing but one of the carriers' key words asks for. */
export function readOptOutWord(
  text: string,
  { hasOptedOut }: { readonly hasOptedOut: boolean },
): 'stop' | 'start' | undefined {
  const word = text.toLowerCase().replace(/[\s.!-]/g, '');
  if (STOP.has(word)) return 'stop';
  // To anyone who still gets texts, "yes" is an answer.
  return START.has(word) && (hasOptedOut || word !== 'yes') ? 'start' : undefined;
}
