import { abortError, throwIfAborted } from '../lib/abort.ts';
import type { JsonObject } from '../lib/json-frame.ts';
import type { SchemaChecker } from '../lib/schema-checker.ts';
import type { Llm, LlmMessage } from '../ports/llm.ts';

/** A model's answer that is unusable, even after the model was told what is wrong with it. */
export class UnusableAnswerError extends Error {
  override readonly name = 'UnusableAnswerError';
}

interface Question {
  readonly messages: readonly LlmMessage[];
  readonly signal: AbortSignal;
}

/** Checks answers against schemas, on behalf of the team that wrote them. */
export interface AnswerChecks {
  readonly schemas: SchemaChecker;
  readonly team: string;
}

const MAX_TOKENS = 4000;
const MAX_ANSWER_CHARS = 100_000;

/** Returns the model's whole answer as text. */
export async function askText(
  llm: Llm,
  { messages, signal }: Question,
  responseSchema?: { readonly name: string; readonly schema: JsonObject },
): Promise<string> {
  throwIfAborted(signal);
  let text = '';
  const reading = (async () => {
    const request = { messages, signal, temperature: 0, maxTokens: MAX_TOKENS };
    const parts = llm.stream(responseSchema ? { ...request, responseSchema } : request);
    for await (const part of parts) {
      if (part.type === 'text') text += part.text;
      if (part.type === 'finish' && part.reason === 'content-filter')
        throw new UnusableAnswerError('the model host refused to answer');
      if (text.length > MAX_ANSWER_CHARS)
        throw new UnusableAnswerError('the answer is far too long');
    }
  })();
  await untilAborted(reading, signal);
  if (text.trim() === '') throw new UnusableAnswerError('the model gave no answer');
  return text.trim();
}

/** Returns an answer that follows the schema; an invalid answer is sent back once, with its problems. */
export async function askJson(
  llm: Llm,
  question: Question,
  responseSchema: { readonly name: string; readonly schema: JsonObject },
  { schemas, team }: AnswerChecks,
): Promise<JsonObject> {
  const { schema } = responseSchema;
  const { signal } = question;
  const check = (value: unknown) => schemas.check(schema, value, { team, signal });
  // Finds an unusable schema before the model is asked.
  await check({});
  const first = await askText(llm, question, responseSchema);
  const read = await readJson(first, check);
  if (read.ok) return read.value;
  const repair: LlmMessage[] = [
    ...question.messages,
    { role: 'assistant', content: first },
    {
      role: 'user',
      content: `That can't be used: ${read.problem}. Answer again with the whole JSON object, corrected, and nothing else.`,
    },
  ];
  const second = await askText(llm, { ...question, messages: repair }, responseSchema);
  const repaired = await readJson(second, check);
  if (repaired.ok) return repaired.value;
  throw new UnusableAnswerError(`the model's answer does not fit: ${repaired.problem}`);
}

type Read =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; problem: string };

async function readJson(
  text: string,
  check: (value: unknown) => Promise<readonly string[]>,
): Promise<Read> {
  const opened = text.replace(/^```(?:json)?/, '');
  const bare = opened.endsWith('```') ? opened.slice(0, -3) : opened;
  let value: unknown;
  try {
    value = JSON.parse(bare);
  } catch {
    return { ok: false, problem: 'it is not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, problem: 'it is not a JSON object' };
  const problems = await check(value);
  if (problems.length > 0) return { ok: false, problem: problems.join('; ') };
  return { ok: true, value: value as JsonObject };
}

/** Does not wait for a model that ignores the signal. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(abortError(signal));
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
