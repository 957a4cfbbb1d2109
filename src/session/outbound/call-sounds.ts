import { HOLD_MUSIC_DB, HOLD_MUSIC_UNDER_SPEECH_DB, volumeDb } from '../../audio/bed-levels.ts';
import type { Sounds } from '../../ports/sounds.ts';
import type { BackgroundMixer, BackgroundSound } from './background-mixer.ts';

interface Deps {
  readonly sounds: Sounds;
  readonly mixer: BackgroundMixer;
  readonly sampleRateHz: number;
  /** The mixer got something else to play. */
  readonly onChange: () => void;
  readonly background?: { readonly url?: string; readonly volume: number };
  /** Hold music to load ahead. */
  readonly expectedHoldUrl?: string;
}

/** Loads one call's background sound and hold music and has the mixer play them; hold music replaces the background. */
export class CallSounds {
  readonly #deps: Deps;
  #background: BackgroundSound | undefined;
  #holding = false;
  /** Number of the latest hold: music that is loaded after its hold has ended is not played. */
  #holds = 0;
  #closed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** To be called when the caller has answered. */
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
    this.#deps.mixer.play(undefined);
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

  #play(sound: BackgroundSound | undefined): void {
    if (this.#closed) return;
    this.#deps.mixer.play(sound);
    this.#deps.onChange();
  }
}
