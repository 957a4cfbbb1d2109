import type { Stt } from '../../ports/stt.ts';
import { SocketSttStream, type SttSocketOptions } from './stt-stream.ts';
import type { SttVendor } from './stt-vendor.ts';

/** A recogniser behind a vendor's WebSocket: one connection per stream, reopened when it breaks. */
export function createSttSocket(vendor: SttVendor, options: SttSocketOptions): Stt {
  return {
    provider: vendor.provider,
    inputRatesHz: vendor.inputRatesHz,
    finalLatencyP99Ms: vendor.finalLatencyP99Ms,
    ...(vendor.turnAware ? { turnAware: true } : {}),
    ...(vendor.flushesAtLulls ? { flushes: true } : {}),
    open: (request) => SocketSttStream.open(vendor, options, request),
  };
}
