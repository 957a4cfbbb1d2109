import { join } from 'node:path';
import type { ModelReply, ModelRequest } from './messages.ts';
import { readModelFolder } from './read-model-folder.ts';
import { recogniserModelOf } from './recogniser-model.ts';
import { RecognitionWorker } from './recognition-worker.ts';
import { loadSherpa } from './sherpa-module.ts';
import { SynthesisWorker } from './synthesis-worker.ts';
import { voiceModelOf } from './voice-model.ts';

// A separate process: the library exits its process on an unsuitable model, and a crash in native code would end
// every call of the service.
let recognition: RecognitionWorker | undefined;
let synthesis: SynthesisWorker | undefined;

function reply(message: ModelReply): void {
  process.send?.(message);
}

function serve(request: ModelRequest): void {
  switch (request.type) {
    case 'load-recogniser': {
      const model = recogniserModelOf(readModelFolder(request.dir));
      const absolute = (file: string): string => join(request.dir, file);
      recognition = new RecognitionWorker(
        loadSherpa(),
        { model, absolute, threads: request.threads },
        reply,
      );
      reply({ type: 'ready', streaming: model.streaming });
      return;
    }
    case 'load-voice': {
      const model = voiceModelOf(readModelFolder(request.dir));
      const absolute = (file: string): string => join(request.dir, file);
      synthesis = new SynthesisWorker(
        loadSherpa(),
        { model, absolute, threads: request.threads },
        reply,
      );
      reply({ type: 'ready' });
      return;
    }
    case 'speak':
      void synthesis?.speak(request);
      return;
    case 'forget':
      recognition?.forget(request.id);
      synthesis?.forget(request.id);
      return;
    default:
      recognition?.serve(request);
  }
}

process.on('message', (request: ModelRequest) => {
  try {
    serve(request);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const id = 'id' in request ? { id: request.id } : {};
    reply({ type: 'failed', ...id, message });
  }
});
// The service has exited.
process.on('disconnect', () => process.exit(0));
