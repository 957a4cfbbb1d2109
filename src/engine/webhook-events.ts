import {
  errorDetails,
  failedTransfer,
  type PartFailure,
  survivedFailure,
} from '../contract/failures.ts';
import type { WebhookContent } from '../contract/webhooks.ts';
import type { WebhookUpdate } from '../ports/call-store.ts';
import type { CallCommand } from './machine/commands.ts';

/** What a command tells the server of the call's assistant; undefined if nothing. */
export function webhookUpdateOf(command: CallCommand): WebhookUpdate | undefined {
  switch (command.type) {
    case 'transcript.append': {
      const { message } = command;
      // A message of the assistant is complete once it is known how much was heard.
      if (message.role === 'assistant') return { message };
      return { message, webhook: completed(message.messageId) };
    }
    case 'transcript.patch': {
      const { messageId, text, frozen } = command;
      const message = { messageId, text };
      return frozen ? { message, webhook: completed(messageId) } : { message };
    }
    case 'status': {
      const { type: _, ...details } = command;
      return { webhook: { kind: 'status-update', details } };
    }
    case 'leg.hangup': {
      const fault = failedTransfer(command.reason);
      return fault && { webhook: failed(fault) };
    }
    case 'webhook':
      return {
        webhook:
          command.kind === 'hang' ? { kind: 'hang', details: command.data } : failed(command.data),
      };
    case 'llm.start':
    case 'llm.cancel':
    case 'llm.adopt':
    case 'predict':
    case 'tts.start':
    case 'tts.cancel':
    case 'play.start':
    case 'play.hold':
    case 'play.release':
    case 'play.volume':
    case 'play.clear':
    case 'play.backchannel':
    case 'stt.voice':
    case 'stt.flush':
    case 'leg.dial':
    case 'leg.brief':
    case 'leg.bridge':
    case 'leg.resume':
    case 'leg.dtmf':
    case 'supervisor.join':
    case 'supervisor.leave':
    case 'hold.music':
    case 'tool.invoke':
    case 'tool.cancel':
    case 'workflow.step':
    case 'transcript.live':
    case 'state':
    case 'turn.metrics':
    case 'log':
    case 'control.accepted':
    case 'control.refused':
    case 'hangup':
    // The store tells of the end, of which it knows more than the engine.
    case 'finish':
      return undefined;
    default:
      return command satisfies never;
  }
}

const completed = (messageId: string): WebhookContent => ({
  kind: 'conversation-update',
  details: { messageId },
});

function failed(failure: PartFailure): WebhookContent {
  const { type: part, retryable = false } = failure;
  const error = errorDetails(survivedFailure(failure), { part, retryable });
  return { kind: 'error', details: { error } };
}
