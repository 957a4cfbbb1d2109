import { HOLD_MUSIC_DB, HOLD_MUSIC_UNDER_SPEECH_DB, volumeDb } from '../../audio/bed-levels.ts';
import type { Sounds } from '../../ports/sounds.ts';
import type { BackgroundMixer, BedSound } from './background-mixer.ts';

interface Deps {
  readonly sounds: Sounds;
  readonly bed: BackgroundMixer;
  readonly sampleRateHz: number;
  /** The bed has something else to play. */
  readonly onChange: () => void;
  readonly background?: { readonly url?: string; readonly volume: number };
  /** Hold music that the call may come to need. */
  readonly expectedHoldUrl?: string;
}

/** What lies under one call: its background sound, and hold music in its stead. Each starts once it is loaded. */
export class CallSounds {
  readonly #deps: Deps;
  #background: BedSound | undefined;
  #holding = false;
  /** Which hold is meant: one that was over before its music came hears none. */
  #holds = 0;
  #closed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The caller is there to hear it. */
  begin(): void {
    if (this.#deps.background) void this.#loadBackground(this.#deps.background);
    const { expectedHoldUrl, sounds, sampleRateHz } = this.#deps;
    if (expectedHoldUrl) void sounds.fromUrl(expectedHoldUrl, sampleRateHz);
  }

  hold({ on, url }: { readonly on: boolean; readonly url?: string }): void {
    const hold = ++this.#holds;
    if (on) void this.#loadHoldMusic(hold, url);
    else if (this.#holding) {
      this.#holding = false;
      this.#play(this.#background);
    }
  }

  close(): void {
    this.#closed = true;
    this.#deps.bed.play(undefined);
  }

  async #loadBackground({ url, volume }: { url?: string; volume: number }): Promise<void> {
    const { sounds, sampleRateHz } = this.#deps;
    const loop = await (url ? sounds.fromUrl(url, sampleRateHz) : sounds.ambience(sampleRateHz));
    if (!loop) return;
    const gainDb = volumeDb(volume);
    this.#background = { loop, gainDb, underSpeechDb: gainDb };
    if (!this.#holding) this.#play(this.#background);
  }

  async #loadHoldMusic(hold: number, url: string | undefined): Promise<void> {
    const { sounds, sampleRateHz } = this.#deps;
    const own = url ? await sounds.fromUrl(url, sampleRateHz) : undefined;
    const loop = own ?? (await sounds.holdMusic(sampleRateHz));
    if (!loop || hold !== this.#holds) return;
    this.#holding = true;
    this.#play({ loop, gainDb: HOLD_MUSIC_DB, underSpeechDb: HOLD_MUSIC_UNDER_SPEECH_DB });
  }

  #play(sound: BedSound | undefined): void {
    if (this.#closed) return;
    this.#deps.bed.play(sound);
    this.#deps.onChange();
  }
}
