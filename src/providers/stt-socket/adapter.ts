import type { Clock } from '../../ports/clock.ts';
import type { Stt } from '../../ports/stt.ts';
import { HearingStream } from './stt-stream.ts';
import type { SttVendor } from './stt-vendor.ts';

export interface SocketRecogniserOptions {
  readonly clock: Clock;
  /** 0…1, for the spread of reconnections. */
  readonly random: () => number;
  /** @defaultValue 5000 */
  readonly connectTimeoutMs?: number;
}

/** A recogniser behind a vendor's WebSocket: one connection a line, taken up again when it breaks. */
export function createSocketRecogniser(vendor: SttVendor, options: SocketRecogniserOptions): Stt {
  return {
    provider: vendor.provider,
    inputRatesHz: vendor.inputRatesHz,
    finalLatencyP99Ms: vendor.finalLatencyP99Ms,
    ...(vendor.turnAware ? { turnAware: true } : {}),
    open: (request) => HearingStream.open(vendor, options, request),
  };
}
