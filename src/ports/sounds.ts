import type { SoundLoop } from '../audio/sound-loop.ts';

/** Background sounds and hold music. Never rejects: a sound that cannot be loaded is undefined. */
export interface Sounds {
  /** The built-in background sound. */
  ambience(sampleRateHz: number): Promise<SoundLoop | undefined>;
  /** The built-in hold music. */
  holdMusic(sampleRateHz: number): Promise<SoundLoop | undefined>;
  /** A custom sound. */
  fromUrl(url: string, sampleRateHz: number): Promise<SoundLoop | undefined>;
}
