import type { ModelRule } from '../contract/assistant-test.ts';
import type { Llm, LlmMessage, LlmPart, LlmRequest } from '../ports/llm.ts';
import { matchesPattern } from './patterns.ts';
import { hasPhrase, listOf } from './words.ts';

/** What a scripted model says where no rule fits. */
const NO_RULE = 'I do not know what to say to that.';

interface Situation {
  readonly prompt: string;
  /** The caller's last words. */
  readonly heard: string;
  /** The tool whose result is to be answered. */
  readonly tool?: { readonly name: string; readonly result: string };
  readonly tools: readonly string[];
}

/** A model that answers by rules, and so the same each time. `onNoRule` is told what no rule fits. */
export function scriptedModel(rules: readonly ModelRule[], onNoRule: (heard: string) => void): Llm {
  let calls = 0;
  return {
    provider: 'scripted',
    async *stream(request: LlmRequest): AsyncIterable<LlmPart> {
      const situation = situationOf(request);
      const rule = rules.find((candidate) => applies(candidate, situation));
      if (!rule) onNoRule(situation.tool?.result ?? situation.heard);
      const text = rule ? (rule.say ?? '') : NO_RULE;
      if (text !== '') yield { type: 'text', text };
      if (rule?.call) {
        const { name, arguments: args } = rule.call;
        const id = `scripted-${++calls}`;
        yield { type: 'tool-call', call: { id, name, arguments: JSON.stringify(args) } };
      }
      yield { type: 'finish', reason: rule?.call ? 'tool-calls' : 'stop' };
    },
  };
}

function applies(rule: ModelRule, { prompt, heard, tool, tools }: Situation): boolean {
  // A model calls only the tools that it was given.
  if (rule.call && !tools.includes(rule.call.name)) return false;
  if (rule.tool === undefined ? tool !== undefined : rule.tool !== tool?.name) return false;
  if (rule.result !== undefined && !matchesPattern(rule.result, tool?.result ?? '')) return false;
  if (rule.heard !== undefined && !matchesPattern(rule.heard, heard)) return false;
  return listOf(rule.prompt ?? []).every((phrase) => hasPhrase(prompt, phrase));
}

function situationOf({ messages, tools = [], toolChoice }: LlmRequest): Situation {
  const ofRole = (role: LlmMessage['role']) =>
    messages.filter((message) => message.role === role).map(({ content }) => content);
  // What the assistant said while the tool was at work may stand behind its result.
  const last = messages.findLast(({ role }) => role === 'tool' || role === 'user');
  return {
    prompt: ofRole('system').join('\n'),
    heard: ofRole('user').at(-1) ?? '',
    ...(last?.role === 'tool'
      ? { tool: { name: toolOf(messages, last.toolCallId), result: last.content } }
      : {}),
    tools: toolChoice === 'none' ? [] : tools.map(({ name }) => name),
  };
}

function toolOf(messages: readonly LlmMessage[], toolCallId: string): string {
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    const call = message.toolCalls?.find(({ id }) => id === toolCallId);
    if (call) return call.name;
  }
  return '';
}
