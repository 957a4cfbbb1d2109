import type { AssistantInput } from '../../src/client/api.generated.ts';
import type { TransferMode } from '../../src/engine/settings/settings.ts';

export const TRANSFER_TO = '+15005550123';

const BACK = 'They cannot talk to you now.';

/** What comes of an operator who does this, by the way of the transfer. */
const RESULTS = {
  blind: { declined: 'answered', voicemail: 'answered' },
  announced: { declined: 'operator-left', voicemail: 'voicemail' },
  conversational: { declined: 'declined', voicemail: 'voicemail' },
} as const;

export const transferAssistant = (mode: TransferMode): AssistantInput => ({
  name: `Desk ${mode}`,
  welcomeMessage: 'Good day.',
  assistantProvider: 'offline',
  assistantPredefinedTools: { callForward: true },
  callForwardData: { phoneNumber: TRANSFER_TO },
  warmTransferEnabled: mode !== 'blind',
  warmTransferConversational: mode === 'conversational',
});

const asks = { say: 'I want to talk to a person' };

/** A file of tests in which operators do all that they can. */
export function transferTests(mode: TransferMode) {
  const outcomes = ['busy', 'no-answer', 'line-error', 'declined', 'voicemail'] as const;
  const resultOf = (operator: (typeof outcomes)[number]) =>
    operator === 'declined' || operator === 'voicemail' ? RESULTS[mode][operator] : operator;
  return {
    model: [
      { tool: 'callForward', result: 'failed', say: BACK },
      {
        prompt: 'Write what you say to',
        say: 'A caller wants to talk to you. Can you take the call?',
      },
      { heard: 'person', call: { name: 'callForward' } },
      { say: 'What can I do?' },
    ],
    tests: [
      {
        name: 'put through',
        turns: [{ ...asks, expect: [{ transfer: { to: TRANSFER_TO, result: 'answered' } }] }],
        expect: [{ outcome: 'transferred' }],
      },
      ...outcomes.map((operator) => {
        const result = resultOf(operator);
        const isBack = result !== 'answered';
        return {
          name: operator,
          operator,
          turns: [
            {
              ...asks,
              expect: [{ transfer: { result } }, ...(isBack ? [{ contains: BACK }] : [])],
            },
          ],
          expect: [{ outcome: isBack ? 'user-hung-up' : 'transferred' }],
        };
      }),
      {
        name: 'the second time',
        operator: ['busy', 'answered'],
        turns: [
          { ...asks, expect: [{ transfer: { result: 'busy' } }, { contains: BACK }] },
          { ...asks, expect: [{ transfer: { result: 'answered' } }] },
        ],
        expect: [{ outcome: 'transferred' }],
      },
    ],
  };
}
