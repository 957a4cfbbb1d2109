import type { VendorCatalogue } from '../../src/contract/vendors.ts';

/** A small catalogue with more vendors than the default. */
export const vendors: VendorCatalogue = {
  llm: {
    names: ['openai', 'azure-openai', 'google', 'deepseek', 'anthropic', 'custom-llm', 'offline'],
    defaultName: 'offline',
  },
  stt: {
    names: ['offline', 'deepgram'],
    defaultName: 'offline',
    languages: { offline: ['en', 'fr'] },
  },
  tts: {
    names: ['offline', 'elevenlabs'],
    defaultName: 'offline',
    voices: { offline: ['slt', 'rms'] },
    languages: { offline: ['en'] },
  },
};
