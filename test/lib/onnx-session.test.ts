import { expect, test } from 'vitest';
import { wasmRuntime } from '../../src/lib/onnx-session.ts';

test('says which package to install where there is none', async () => {
  const missing = async () => {
    throw Object.assign(new Error('cannot find it'), { code: 'ERR_MODULE_NOT_FOUND' });
  };
  await expect(wasmRuntime(1, missing)).rejects.toThrow(
    'ONNX models need a package: npm install --no-save onnxruntime-web',
  );
});

test('passes on what else is wrong with it', async () => {
  const broken = () => Promise.reject(new Error('is no module'));
  await expect(wasmRuntime(1, broken)).rejects.toThrow('is no module');
});
