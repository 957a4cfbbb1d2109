const NAMES: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  'openai-transcriptions': 'OpenAI transcriptions',
  'azure-openai': 'Azure OpenAI',
  google: 'Google Gemini',
  deepseek: 'DeepSeek',
  anthropic: 'Anthropic',
  deepgram: 'Deepgram',
  'deepgram-flux': 'Deepgram Flux',
  assemblyai: 'AssemblyAI',
  elevenlabs: 'ElevenLabs',
  cartesia: 'Cartesia',
  'custom-llm': 'Your own model server',
  'sherpa-onnx': 'sherpa-onnx, on this machine',
  offline: 'Built in',
};

/** A vendor as people call it. */
export const vendorName = (vendor: string): string => NAMES[vendor] ?? vendor;

/** The parts of an assistant, in the console's words. */
export const PART_NAMES = {
  model: 'language model',
  recogniser: 'speech-to-text',
  voice: 'voice',
} as const;
