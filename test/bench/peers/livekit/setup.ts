import { loadLiveKit, loadSilero, startInference } from './packages.ts';
import type { Kind, SessionSetup } from './session.ts';

/** How a process of the bench that holds calls with LiveKit is told what to do. */
export interface PeerEnv {
  readonly PEER_FOLDER: string;
  readonly PEER_KIND: Kind;
  /** JSON. */
  readonly PEER_VENDORS: string;
}

export function peerEnv(): PeerEnv {
  return process.env as unknown as PeerEnv;
}

export async function setupOf(options: { readonly inJob: boolean }): Promise<SessionSetup> {
  const { PEER_FOLDER, PEER_KIND, PEER_VENDORS } = peerEnv();
  const livekit = await loadLiveKit(PEER_FOLDER);
  const needsInference = PEER_KIND !== 'stt' && !options.inJob;
  return {
    livekit,
    kind: PEER_KIND,
    vendors: JSON.parse(PEER_VENDORS),
    ...(needsInference ? { inference: await startInference(PEER_FOLDER, livekit) } : {}),
    ...(PEER_KIND === 'silero-plugin' ? { vad: await loadSilero(PEER_FOLDER) } : {}),
  };
}
