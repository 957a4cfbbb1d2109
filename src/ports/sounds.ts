import type { SoundLoop } from '../audio/sound-loop.ts';

/** Where background sound and hold music come from. Nothing rejects: what cannot be had is undefined. */
export interface Sounds {
  /** The built-in background sound. */
  ambience(sampleRateHz: number): Promise<SoundLoop | undefined>;
  /** The built-in hold music. */
  holdMusic(sampleRateHz: number): Promise<SoundLoop | undefined>;
  /** A sound of one's own. */
  fromUrl(url: string, sampleRateHz: number): Promise<SoundLoop | undefined>;
}
