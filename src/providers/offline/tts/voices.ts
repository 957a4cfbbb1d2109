/** A voice built into flite. */
export interface FliteVoice {
  readonly id: string;
  /** BCP 47 tag. */
  readonly language: string;
  readonly description: string;
}

/** The voices that can speak any text; the first sounds best. */
export const FLITE_VOICES: readonly FliteVoice[] = [
  { id: 'slt', language: 'en-US', description: 'female, American' },
  { id: 'rms', language: 'en-US', description: 'male, American' },
  { id: 'awb', language: 'en-GB', description: 'male, Scottish' },
  { id: 'kal16', language: 'en-US', description: 'male, American, robotic, fastest' },
  { id: 'kal', language: 'en-US', description: 'male, American, robotic, 8 kHz' },
];

export const DEFAULT_VOICE = 'slt';
