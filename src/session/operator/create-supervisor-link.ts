import type { ControlEvent } from '../../contract/control.ts';
import type { ControlOutcome } from '../../ports/call-control.ts';
import type { MediaLeg } from '../../ports/media.ts';
import type { SessionDeps, SessionParts } from '../session-parts.ts';
import { SupervisorLink } from './supervisor-link.ts';

/** The link for a person who speaks with the caller; recorded on the assistant's channel. */
export function createSupervisorLink(
  { playout, far, monitor, recorder }: SessionParts,
  { clock, ticker, redaction }: SessionDeps,
  caller: MediaLeg,
  control: (event: ControlEvent) => Promise<ControlOutcome>,
): SupervisorLink {
  return new SupervisorLink({
    ...{ clock, ticker, caller, playout, control },
    tap(pcm, atMs) {
      far.write(pcm, atMs);
      monitor.write(pcm, atMs);
      // What a person says is not written down, so nothing could be taken out of it.
      if (!redaction?.sound) recorder?.write(pcm, atMs);
    },
  });
}
