import type { FailureClass } from './provider-failure.ts';

/** The vendor of a request; `model` where the vendor has several at different prices. */
export interface VendorName {
  readonly kind: 'llm' | 'stt' | 'tts';
  readonly vendor: string;
  readonly model?: string;
}

/** What a vendor charges for; only the fields of its kind are set. */
export interface VendorUsage {
  readonly inputTokens?: number;
  /** Part of the input tokens. */
  readonly cachedTokens?: number;
  readonly outputTokens?: number;
  readonly characters?: number;
  /** Audio sent for recognition. */
  readonly audioMs?: number;
}

export type VendorOutcome = 'ok' | 'cancelled' | FailureClass;

/** Receives the latency and result of every request to a vendor. */
export interface VendorMeter {
  /** Time to the first token, to the first audio, or from the end of speech to the final text. */
  latency(name: VendorName, ms: number): void;
  finished(name: VendorName, outcome: VendorOutcome, usage: VendorUsage): void;
}
