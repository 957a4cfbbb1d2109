import type { LlmTool } from '../ports/llm.ts';
import { type CallerDeps, Refusal, textOf } from './caller.ts';
import type { HostedTool } from './hosted-tool.ts';
import { createPredefinedTool } from './predefined-tool.ts';

const MAX_LENGTH = 1600;
/** Per call: a caller on the phone needs few, and a looping model must not send a flood. */
const MAX_TEXTS = 5;

const SEND_SMS: LlmTool = {
  name: 'sendSms',
  description:
    'Sends a text message to the phone the caller calls from. Use it when the caller asks for something in writing, ' +
    'such as an address, a link or a confirmation, or agrees to get it. Say beforehand what you will send. It is sent ' +
    'when the tool says so, not before.',
  parameters: {
    type: 'object',
    properties: {
      message: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_LENGTH,
        description: 'The text as the caller will read it: complete, without formatting.',
      },
    },
    required: ['message'],
    additionalProperties: false,
  },
};

/** The predefined `sendSms`. `send` texts the caller, or throws a {@link Refusal} that says why it cannot. */
export function createSendSmsTool(
  deps: Pick<CallerDeps, 'log'>,
  send: (text: string) => Promise<void>,
): HostedTool {
  const sent = new Set<string>();
  return createPredefinedTool(deps, {
    definition: SEND_SMS,
    readOnly: false,
    act: async ({ arguments: args }) => {
      const text = textOf(args.message);
      if (text === '') throw new Refusal('message must not be empty');
      if (sent.has(text)) return { status: 'sent already' };
      if (sent.size >= MAX_TEXTS) throw new Refusal('enough texts were sent in this call');
      // Added before sending: after a carrier breaks off, nobody knows whether the text was sent.
      sent.add(text);
      await send(text);
      return { status: 'sent' };
    },
  });
}
