import { SealError, type Sealer } from '../lib/seal.ts';

/** What a resume token says to a process that does not have the call. */
export interface ResumeToken {
  readonly callId: string;
  /** Of the process that issued the token: it is void once another has taken the call over. */
  readonly epoch: number;
  readonly sampleRateHz: number;
  /** How many tokens that process had issued before: one that the client has replaced since is void. */
  readonly serial: number;
}

const OWNER = 'resume token';
const CONTENT = /^(\S+) (\d+) (\d+) (\d+)$/;
/** As in a sealed text; the separator stands in a URL as it is. */
const TOKEN = /^(sealed~1~[0-9a-f]{8}~[\w-]+)(?:\.[0-9a-f-]{36})?$/;

/** Only a process with the service's key can read or make it, so that no process has to remember it. */
export function sealResumeToken(sealer: Sealer, token: ResumeToken): string {
  const { callId, epoch, sampleRateHz, serial } = token;
  return sealer.seal(`${callId} ${epoch} ${sampleRateHz} ${serial}`, OWNER).replaceAll(':', '~');
}

/** Undefined for any other token. */
export function openResumeToken(sealer: Sealer, token: string): ResumeToken | undefined {
  const sealed = TOKEN.exec(token)?.[1];
  if (sealed === undefined) return undefined;
  try {
    const [, callId, epoch, rate, serial] =
      CONTENT.exec(sealer.open(sealed.replaceAll('~', ':'), OWNER)) ?? [];
    return callId === undefined
      ? undefined
      : {
          callId,
          epoch: Number(epoch),
          sampleRateHz: Number(rate),
          serial: Number(serial),
        };
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
