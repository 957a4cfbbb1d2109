import type { MediaLeg } from '../../ports/media.ts';
import type { CallRunner } from '../call-runner.ts';
import type { SessionDeps, SessionInit, SessionParts } from '../session-parts.ts';
import { OperatorBriefing } from './operator-briefing.ts';
import { TransferController } from './transfer-controller.ts';

/** What the transfers of a call need of its session. */
interface Hooks
  extends Pick<ConstructorParameters<typeof TransferController>[0], 'durable' | 'onBridged'> {
  readonly parts: Pick<SessionParts, 'recorder' | 'monitor'>;
  /** The caller's leg. */
  readonly caller: MediaLeg;
  readonly runner: Pick<CallRunner, 'send' | 'note'>;
  readonly warn: (message: string, error: unknown) => void;
}

/** The transfers of a call; the assistant briefs operators with the call's own vendors. */
export function createTransferController(
  init: SessionInit,
  deps: SessionDeps,
  { runner, warn, parts, ...hooks }: Hooks,
): TransferController {
  const { clock, ticker, operators: line } = deps;
  return new TransferController({
    ...hooks,
    tap(pcm, atMs) {
      parts.recorder?.write(pcm, atMs);
      parts.monitor.write(pcm, atMs);
    },
    callId: init.callId,
    clock,
    ticker,
    line,
    settings: init.settings,
    emit: (event) => runner.send(event),
    createBriefing: (leg, settings, onCommand, onFailure) =>
      new OperatorBriefing({
        init,
        deps,
        leg,
        settings,
        onCommand,
        onUsage: (_genId, usage) => runner.note('llm.usage', { briefing: true, ...usage }),
        onCrash: (error) => {
          warn('the briefing of the operator failed with an internal error', error);
          onFailure();
        },
        onUnexpected: (error) => warn('a provider failed', error),
      }),
  });
}
