import type { FailureClass } from './provider-failure.ts';

/** Who was asked; `model` where the vendor has several that cost differently. */
export interface VendorName {
  readonly kind: 'llm' | 'stt' | 'tts';
  readonly vendor: string;
  readonly model?: string;
}

/** What a vendor charges for; only what its kind has. */
export interface VendorUsage {
  readonly inputTokens?: number;
  /** Of the input tokens. */
  readonly cachedTokens?: number;
  readonly outputTokens?: number;
  readonly characters?: number;
  /** Sent to be recognised. */
  readonly audioMs?: number;
}

export type VendorOutcome = 'ok' | 'cancelled' | FailureClass;

/** Told of every request to a vendor. */
export interface VendorMeter {
  /** To the first token, the first audio, or the final text after the end of speech. */
  latency(name: VendorName, ms: number): void;
  finished(name: VendorName, outcome: VendorOutcome, usage: VendorUsage): void;
}
