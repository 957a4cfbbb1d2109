import type { AssistantConfig } from '../contract/assistant.ts';
import { renderTemplate } from '../engine/settings/render-template.ts';
import type { Llm, LlmMessage } from '../ports/llm.ts';
import type { TextRecord } from '../store/texts.ts';

/** The longest message that carriers accept. */
export const MAX_TEXT_CHARS = 1600;

const MEDIUM =
  'You are answering by text message. Write one short message, plain text, without markdown, in the language of the user.';

/** The model's messages for a conversation by text. Pure. */
export function textContext(
  assistant: AssistantConfig,
  variables: Readonly<Record<string, string>>,
  history: readonly Pick<TextRecord, 'role' | 'text'>[],
  /** Describes earlier calls with the same user; may be empty. */
  earlierCalls = '',
): readonly LlmMessage[] {
  const { sameAsAssistant, smsPrompt } = assistant.smsConfiguration;
  const own = sameAsAssistant || smsPrompt === '' ? assistant.assistantSystemPrompt : smsPrompt;
  const prompt = renderTemplate(own, variables);
  return [
    { role: 'system', content: [prompt, earlierCalls, MEDIUM].filter(Boolean).join('\n\n') },
    ...history.map(({ role, text }) => ({ role, content: text })),
  ];
}

/** The model's answer as one message; empty if it has none. */
export async function writeReply(
  llm: Llm,
  messages: readonly LlmMessage[],
  options: {
    readonly temperature: number;
    readonly maxTokens: number;
    readonly cacheKey: string;
    readonly signal: AbortSignal;
  },
): Promise<string> {
  let text = '';
  for await (const part of llm.stream({ messages, ...options })) {
    if (part.type === 'text') text += part.text;
    if (text.length > MAX_TEXT_CHARS) break;
  }
  return cutToText(text.trim());
}

/** Cuts to the length of one message, at the end of a sentence or word. */
function cutToText(text: string): string {
  if (text.length <= MAX_TEXT_CHARS) return text;
  const cut = text.slice(0, MAX_TEXT_CHARS - 1);
  const sentence = Math.max(...['. ', '! ', '? '].map((end) => cut.lastIndexOf(end)));
  if (sentence > MAX_TEXT_CHARS / 2) return cut.slice(0, sentence + 1);
  return `${cut.slice(0, cut.lastIndexOf(' '))}…`;
}
