// The globals of an AudioWorklet module; lib.dom does not have them.
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort;
  abstract process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean;
}
declare function registerProcessor(
  name: string,
  processor: new (options: { processorOptions: never }) => AudioWorkletProcessor,
): void;
declare const sampleRate: number;
declare const currentTime: number;
