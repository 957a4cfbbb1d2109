import { askText } from '../analysis/ask.ts';
import type { Persona, TestTurn } from '../contract/assistant-test.ts';
import type { Llm, LlmMessage } from '../ports/llm.ts';
import type { NextTurn } from './conversation.ts';

const LINE_MS = 30_000;
const MAX_LINE_CHARS = 1000;
const DONE = /\bDONE\b/;

const turnOf = (say: string): TestTurn => ({ say, expect: [] });

/** A caller who says these lines one after the other. */
export function scriptedCaller(lines: readonly string[]): NextTurn {
  let at = 0;
  return () => {
    const line = lines[at++];
    return line === undefined ? undefined : turnOf(line);
  };
}

/** A caller with a goal, played by a model; ends when the model says that the goal is reached or out of reach. */
export function playedCaller(
  { goal, about, maxTurns }: Persona,
  llm: Llm,
  signal: AbortSignal,
): NextTurn {
  const system = [
    'You play a person who calls a service by telephone. You are the caller, never the assistant.',
    `What you want: ${goal}`,
    ...(about === '' ? [] : [`Who you are: ${about}`]),
    'Say only your next words, as one says them on the telephone: one or two short sentences.',
    'When you have what you want, or see that you will not get it, answer DONE and nothing else.',
  ].join('\n');
  let turns = 0;
  return async (messages) => {
    if (turns++ >= maxTurns) return undefined;
    const talk = messages.flatMap(({ role, text }): LlmMessage[] => {
      if (role === 'assistant') return [{ role: 'user', content: text }];
      return role === 'user' ? [{ role: 'assistant', content: text }] : [];
    });
    const begun: LlmMessage[] =
      talk[0]?.role === 'user'
        ? talk
        : [{ role: 'user', content: '(The call is answered.)' }, ...talk];
    const line = await askText(llm, {
      messages: [{ role: 'system', content: system }, ...begun],
      signal: AbortSignal.any([signal, AbortSignal.timeout(LINE_MS)]),
    });
    return DONE.test(line) ? undefined : turnOf(line.slice(0, MAX_LINE_CHARS));
  };
}
