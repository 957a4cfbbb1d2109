import type { ControlEvent } from '../../contract/control.ts';
import type { ControlOutcome } from '../../ports/call-control.ts';
import type { MediaLeg } from '../../ports/media.ts';
import type { PartHooks, SessionDeps, SessionInit, SessionParts } from '../session-parts.ts';
import { SupervisorLink } from './supervisor-link.ts';
import { SupervisorWords } from './supervisor-words.ts';

interface Line extends Pick<PartHooks, 'emit' | 'at' | 'onUnexpected'> {
  readonly caller: MediaLeg;
  readonly control: (event: ControlEvent) => Promise<ControlOutcome>;
}

/** The link for a person who speaks with the caller; recorded on the assistant's channel, written down as a third one. */
export function createSupervisorLink(
  { recognition }: Pick<SessionInit, 'recognition'>,
  { playout, far, monitor, recorder }: SessionParts,
  { clock, ticker, redaction, vad, stt }: SessionDeps,
  { caller, control, emit, at, onUnexpected }: Line,
): SupervisorLink {
  return new SupervisorLink({
    ...{ clock, ticker, caller, playout, control },
    tap(pcm, atMs) {
      far.write(pcm, atMs);
      monitor.write(pcm, atMs);
      // What is to be taken out is found by the times of the caller's and the assistant's words, not of a person's.
      if (!redaction?.sound) recorder?.write(pcm, atMs);
    },
    transcribe: (by, sampleRateHz) =>
      new SupervisorWords(
        { clock, vad, stt, recognition, emit, at, onUnexpected },
        by,
        sampleRateHz,
      ),
  });
}
